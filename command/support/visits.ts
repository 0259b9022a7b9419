import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { isRecord } from '../../src/codecs/codecs';
import { type Bundle, type Context, type EngineEvent, type Id, init } from '../../src/engine/engine';
import { WrongCall } from '../command';

/** The events of each visitor, in the order of their times. */
export type Visits = ReadonlyMap<string, readonly EngineEvent[]>;

/** A line that is an event: as the SDK uploads events, or as the engine takes them. */
const eventIn = (line: unknown): EngineEvent | undefined => {
  if (!isRecord(line) || typeof line['name'] !== 'string' || !isRecord(line['properties'])) return undefined;
  const time = typeof line['time'] === 'number' ? line['time'] : Date.parse(String(line['time']));
  if (!Number.isFinite(time)) return undefined;
  const { session_id, view_id } = line as Partial<Record<string, string>>;
  return {
    name: line['name'],
    time,
    properties: line['properties'],
    ...(session_id !== undefined && { session_id }),
    ...(view_id !== undefined && { view_id }),
  };
};

/**
 * Reads visits: a recording of the inspector, which is of one visitor, or a file with one event a line, whose visitors
 * are told by `user_id`. Throws where there is no such file, or where the file has no visits.
 */
export const readVisits = (given: string, cwd: string): Visits => {
  const file = resolve(cwd, given);
  if (!existsSync(file)) throw new WrongCall(`there is no file ${given}`);
  const visits = new Map<string, EngineEvent[]>();
  readFileSync(file, 'utf8')
    .split('\n')
    .forEach((text, i) => {
      if (text.trim() === '') return;
      const line = parsed(text, i + 1);
      const isRecorded = isRecord(line) && ('lane' in line || 'v' in line);
      const event = eventIn(isRecorded ? (line['lane'] === 'events' ? line['data'] : undefined) : line);
      if (event === undefined) {
        if (isRecorded) return;
        throw new WrongCall(`line ${i + 1} of the visits is no event; expected name, time and properties`);
      }
      const visitor = isRecord(line) && typeof line['user_id'] === 'string' ? line['user_id'] : '';
      const events = visits.get(visitor);
      if (events === undefined) visits.set(visitor, [event]);
      else events.push(event);
    });
  if (visits.size === 0) throw new WrongCall('the visits have no event');
  return new Map([...visits].map(([visitor, events]) => [visitor, events.sort((a, b) => a.time - b.time)]));
};

const parsed = (text: string, number: number): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongCall(`line ${number} of the visits is no JSON`);
  }
};

/** The session and the view of each event, which begin with their first event. */
const contextsOf = (events: readonly EngineEvent[]): readonly Context[] => {
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

/** The cohorts that a visitor is in after some events. Cohorts that read other data than events hold for nobody. */
const membersAfter = (events: readonly EngineEvent[], bundle: Bundle): readonly Id[] => {
  const [first] = events;
  const contexts = contextsOf(events);
  const engine = init({
    event_source_id: 'diff',
    now: first?.time ?? 0,
    bundle,
    state: null,
    context: contexts[0] ?? { session: null, view: null },
    lookups: {},
    pending: [],
  });
  engine.bootstrap();
  engine.replay([]);
  events.forEach((event, i) => {
    engine.updateContext(contexts[i]!);
    engine.process([event], event.time);
  });
  return engine.members();
};

/** By cohort, how many of the visitors are in it at the end of their visits. */
export const memberCounts = (visits: Visits, bundle: Bundle): ReadonlyMap<Id, number> => {
  const counts = new Map<Id, number>();
  for (const events of visits.values())
    for (const id of membersAfter(events, bundle)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
};
