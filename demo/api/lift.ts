import { liftEvents } from '../../src/endpoints/liftEvents';
import { liftQueries } from '../../src/endpoints/liftQueries';
import { init } from '../../src/engine/engine';
import { canon } from '../../src/engine/language/canonical';
import { checksumOf } from '../../src/engine/language/checksums';
import type { Definition } from '../../src/engine/language/language';
import { Refused, type Route, served } from './served';

const maxEvents = 50;

/** Evaluates events for the queries that only the server has. Returns what a page may know of them; keeps nothing. */
export const liftRoutes = (lifted: ReadonlyMap<string, Definition>): readonly Route[] => [
  served(liftEvents, ({ body: { events }, query }) => {
    if (events.length > maxEvents) throw new Refused(413, `${events.length} events, at most ${maxEvents}`);
    const timed = events.map((event) => ({ ...event, time: Date.parse(event.time) }));
    const now = Math.max(0, ...timed.map(({ time }) => time));
    const engine = init({
      event_source_id: 'lift',
      now,
      bundle: { v: 1, id: query.get('qid') ?? '', seed: 0, queries: [...lifted.values()] },
      state: null,
      context: { session: null, view: null },
      lookups: {},
      pending: [],
    });
    engine.bootstrap();
    engine.replay([]);
    engine.process(timed, now);
    const states = Object.entries(engine.snapshot().internal_query_states).filter(([, { state }]) => state.length > 0);
    return {
      result: { state: Object.fromEntries(states.map(([id, { checksum, state }]) => [id, [checksum, state]])) },
    };
  }),
  served(liftQueries, ({ query }) => {
    const ids = new Set((query.get('ids') ?? '').split(','));
    return { queries: [...lifted.values()].filter(({ id }) => ids.has(id)).map(withoutRules) };
  }),
];

/** The definition without the conditions on its events, canonical, so that its cells keep their numbers. */
const withoutRules = (definition: Definition): Definition => {
  const { q, sub } = canon(definition);
  const checksum = definition.checksum ?? checksumOf({ q, sub });
  return {
    ...definition,
    q: hidden(q),
    ...(sub.length > 0 && { sub: sub.map(hidden) }),
    checksum,
    canonical: true,
  } as Definition;
};

const hidden = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(hidden);
  if (typeof node !== 'object' || node === null) return node;
  if ('event' in node)
    return Object.fromEntries([...Object.entries(node).filter(([key]) => key !== 'where'), ['remote', true]]);
  return Object.fromEntries(Object.entries(node).map(([key, inner]: [string, unknown]) => [key, hidden(inner)]));
};
