import { AnyBoolean, AnyNumber, AnyString, Anything, object, shape, type TypeOf, value } from '../codecs/codecs';
import { dayMs } from '../primitives/duration';

/**
 * What the inspector shows side by side. `calls`: the page's calls; `signals`: what happens on the page; `engine`:
 * messages of the engine; `uploads`: requests and answers; `effects`: what the SDK changes on the page, such as key
 * values and pixels; `door`: everything else that the SDK reads of the browser, for the replay.
 */
export const lanes = [
  'calls',
  'signals',
  'events',
  'engine',
  'cohorts',
  'transitions',
  'uploads',
  'effects',
  'consent',
  'errors',
  'door',
] as const;
export type Lane = (typeof lanes)[number];

/** Longer than a page is recorded. A replay runs all timers up to its last line: a line in 300 years would hang it. */
export const maxLogMs = dayMs;

/** One thing that has happened, as a line of a log has it. */
export const LogLine = object(
  'a log line',
  shape({
    /** Ms since the log began; at most a day. */
    t: value<number>(
      `a time within ${maxLogMs} ms`,
      (input) => typeof input === 'number' && input >= 0 && input <= maxLogMs,
    ),
    lane: value<Lane>('a lane', (input) => (lanes as readonly unknown[]).includes(input)),
    /** What it is within its lane, such as `track`. */
    type: AnyString,
    /** What JSON can hold. */
    data: Anything,
  }),
);
export type LogLine = TypeOf<typeof LogLine>;

/** A line with its place in a chain of causes. */
export interface LogEntry extends LogLine {
  /** The number of the entry in the log; the first is 1. */
  readonly id: number;
  /** Ids of the entries that it came from, such as the event of a transition, or all events of a request. */
  readonly causes: readonly number[];
}

/** The first line of a log. */
export const LogHeader = object(
  'a log header',
  shape({
    v: value('1', (input) => input === 1),
    /** Version of the SDK. */
    sdk: AnyString,
    /** Workspace of the project. */
    project: AnyString,
    /** When the log began, in ms since 1970. */
    clock: AnyNumber,
    /** Whether the log began before the SDK had read or done anything, so that it can be replayed. */
    complete: AnyBoolean,
    /** Lines that had no room and are missing after the first one. */
    dropped: AnyNumber,
  }),
);
export type LogHeader = TypeOf<typeof LogHeader>;
