import {
  AnyRecord,
  AnyString,
  Anything,
  DecodeError,
  type Fault,
  object,
  readAs,
  shape,
} from '../../../src/codecs/codecs';
import type { EngineEvent } from '../../../src/engine/engine';

/** The events of a log, oldest first, and the lines that could not be read. */
export interface ReadLog {
  readonly events: readonly EngineEvent[];
  readonly faults: readonly Fault[];
}

/** An event as `permutive.record()` writes it. */
const LoggedEvent = object(
  'an event',
  shape({ name: AnyString, time: AnyString, properties: AnyRecord, session_id: AnyString, view_id: AnyString }),
);
const LogLine = object('a line of a log', shape({ lane: AnyString, data: Anything }));

/** Later moments have no date, once a window is added to them. */
const latestTime = Date.UTC(2100, 0, 1);

/** Faults that are shown. A file that is no log has one in each line. */
const maxFaults = 5;

/**
 * Reads the events of a recorded log: NDJSON whose lines of the lane `events` have them as `data`. The header and other
 * lanes are passed over. Transitions of the recording are left out, because the query makes its own. A line that cannot
 * be read is a fault at its number.
 */
export const readLog = (text: string): ReadLog => {
  const [events, faults]: [EngineEvent[], Fault[]] = [[], []];
  for (const [i, line] of text.split('\n').entries()) {
    const read = line.trim() === '' ? null : eventOf(line);
    if (read instanceof DecodeError)
      faults.push(
        ...read.faults.map(({ path, expected }) => ({ path: `line ${i + 1}${path && `: ${path}`}`, expected })),
      );
    else if (read !== null) events.push(read);
  }
  return { events: events.sort((a, b) => a.time - b.time), faults: faults.slice(0, maxFaults) };
};

/** The event of a line; null where the line has none. */
const eventOf = (line: string): EngineEvent | DecodeError | null => {
  let input: unknown;
  try {
    input = JSON.parse(line);
  } catch {
    return new DecodeError([{ path: '', expected: 'JSON' }]);
  }
  if (typeof input === 'object' && input !== null && 'v' in input) return null;
  const entry = readAs(LogLine, input);
  if (entry instanceof DecodeError) return entry;
  if (entry.lane !== 'events') return null;
  const event = readAs(LoggedEvent, entry.data);
  if (event instanceof DecodeError)
    return new DecodeError(event.faults.map(({ path, expected }) => ({ path: `data${path && `/${path}`}`, expected })));
  const time = Date.parse(event.time);
  return time >= 0 && time <= latestTime
    ? { ...event, time }
    : new DecodeError([{ path: 'data/time', expected: 'an ISO date from 1970 to 2100' }]);
};
