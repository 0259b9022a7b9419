import { isRecord } from '../../src/codecs/codecs';
import { type Bundle, type Context, type EngineEvent, type Id, init } from '../../src/engine/engine';

/** The events of each visitor, in the order of their times. */
export type Visits = ReadonlyMap<string, readonly EngineEvent[]>;

/** An event as the SDK uploads it, or as the engine takes it. */
export const eventIn = (line: unknown): EngineEvent | undefined => {
  if (!isRecord(line) || typeof line['name'] !== 'string' || !isRecord(line['properties'])) return undefined;
  const { time: said, session_id, view_id } = line;
  const time = typeof said === 'string' ? Date.parse(said) : said;
  // Other numbers are no times of a calendar.
  if (typeof time !== 'number' || Number.isNaN(new Date(time).getTime())) return undefined;
  return {
    name: line['name'],
    time,
    properties: line['properties'],
    ...(typeof session_id === 'string' && { session_id }),
    ...(typeof view_id === 'string' && { view_id }),
  };
};

/** What a line of visits says: the event of a visitor, or why there is none. */
export type VisitLine =
  | { readonly type: 'event'; readonly visitor: string; readonly event: EngineEvent }
  /** A line of a recording that is no event of the visitor. */
  | { readonly type: 'other' }
  /** `wrong` follows the number of the line. */
  | { readonly type: 'wrong'; readonly wrong: string };

/**
 * Reads one line of visits: of a recording of the inspector, which is of one visitor, or an event as the SDK uploads it
 * or as the engine takes it, whose visitor is told by `user_id`.
 */
export const visitLine = (text: string): VisitLine => {
  const line = parsed(text);
  if (line === undefined) return { type: 'wrong', wrong: 'of the visits is no JSON' };
  const isRecorded = isRecord(line) && ('lane' in line || 'v' in line);
  const event = eventIn(isRecorded ? (line['lane'] === 'events' ? line['data'] : undefined) : line);
  if (event === undefined)
    return isRecorded
      ? { type: 'other' }
      : { type: 'wrong', wrong: 'of the visits is no event; expected name, time and properties' };
  const visitor = isRecord(line) && typeof line['user_id'] === 'string' ? line['user_id'] : '';
  return { type: 'event', visitor, event };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The session and the view of each event, which begin with their first event. */
export const contextsOf = (events: readonly EngineEvent[]): readonly Context[] => {
  const begun = new Map<string, number>();
  const period = (id: string | null | undefined, time: number): Context['session'] => {
    if (id === null || id === undefined) return null;
    const startedAt = begun.get(id) ?? time;
    begun.set(id, startedAt);
    return { id, startedAt };
  };
  return events.map(({ session_id, view_id, time }) => ({
    session: period(session_id, time),
    view: period(view_id, time),
  }));
};

/** A visitor’s events in an engine of their own. */
export interface Visit {
  readonly engine: ReturnType<typeof init>;
  /** What the engine reported at its start. */
  readonly errors: readonly string[];
  /** Takes the event of this number, with its session and view. Answers what the engine reports. */
  readonly take: (number: number) => readonly string[];
}

/**
 * Begins a visitor’s events, the oldest first, at the moment `now`. Cohorts that read other data than events hold for
 * nobody.
 */
export const beginVisit = (events: readonly EngineEvent[], bundle: Bundle, now = events[0]?.time ?? 0): Visit => {
  const contexts = contextsOf(events);
  const engine = init({
    event_source_id: source,
    now,
    bundle,
    state: null,
    context: contexts[0] ?? { session: null, view: null },
    lookups: {},
    pending: [],
  });
  return {
    engine,
    errors: [...engine.bootstrap().errors, ...engine.replay([]).errors],
    take: (number) => {
      const event = events[number]!;
      return [...engine.updateContext(contexts[number]!).errors, ...engine.process([event], event.time).errors];
    },
  };
};

/** Names the engine’s state, which nobody stores. */
const source = '00000000-0000-4000-8000-000000000001';

/** The cohorts that a visitor is in after some events, and at the moment `until` where it is given and later. */
export const membersAfter = (events: readonly EngineEvent[], bundle: Bundle, until = -Infinity): readonly Id[] => {
  const { engine, take } = beginVisit(events, bundle);
  events.forEach((_, i) => take(i));
  if (until > (events.at(-1)?.time ?? 0)) engine.tick(until);
  return engine.members();
};

/** By cohort, how many of the visitors are in it at the end of their visits. */
export const memberCounts = (visits: Visits, bundle: Bundle): ReadonlyMap<Id, number> => {
  const counts = new Map<Id, number>();
  for (const events of visits.values())
    for (const id of membersAfter(events, bundle)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
};
