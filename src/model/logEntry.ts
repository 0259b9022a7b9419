import { AnyNumber, AnyString, Anything, type Codec, object, shape, value } from './codecs';
import { dayMs } from './duration';

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

/** One thing that has happened, as a line of a log has it. */
export interface LogLine {
  /** Ms since the log began; at most a day. */
  readonly t: number;
  readonly lane: Lane;
  /** What it is within its lane, such as `track`. */
  readonly type: string;
  /** What JSON can hold. */
  readonly data: unknown;
}

/** A line with its place in a chain of causes. */
export interface LogEntry extends LogLine {
  /** Its number in the log; the first is 1. */
  readonly id: number;
  /** Ids of the entries that it came from, such as the event of a transition, or all events of a request. */
  readonly causes: readonly number[];
}

/** The first line of a log. */
export interface LogHeader {
  readonly v: 1;
  /** Version of the SDK. */
  readonly sdk: string;
  /** Workspace of the project. */
  readonly project: string;
  /** When the log began, in ms since 1970. */
  readonly clock: number;
  /** Whether the log began before the SDK had read or done anything, so that it can be replayed. */
  readonly complete: boolean;
  /** Lines that had no room and are missing after the first one. */
  readonly dropped: number;
}

const One: Codec<1> = value('1', (input) => input === 1);
const Truth: Codec<boolean> = value('boolean', (input) => typeof input === 'boolean');
export const LogHeaderCodec = object<LogHeader>(
  'a log header',
  shape({ v: One, sdk: AnyString, project: AnyString, clock: AnyNumber, complete: Truth, dropped: AnyNumber }),
);
/** Longer than a page is recorded. A replay runs all timers up to its last line: a line in 300 years would hang it. */
export const maxLogMs = dayMs;
const LogTime: Codec<number> = value(
  `a time within ${maxLogMs} ms`,
  (input) => typeof input === 'number' && input >= 0 && input <= maxLogMs,
);
const AnyLane: Codec<Lane> = value('a lane', (input) => (lanes as readonly unknown[]).includes(input));
export const LogLineCodec = object<LogLine>(
  'a log line',
  shape({ t: LogTime, lane: AnyLane, type: AnyString, data: Anything }),
);
