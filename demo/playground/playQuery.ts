import type { Definition, Engine, EngineEvent, Explanation, RuntimeInput } from '../../src/engine/engine';
import type { ExplainedNode } from '../../src/engine/evaluate/explain';
import { dayMs } from '../../src/primitives/duration';

/** Makes an engine: `init` of `permutive-web-sdk/engine`. */
export type Init = (input: RuntimeInput) => Engine;

/** From `at` on, the visitor is a member or not. */
export interface Change {
  readonly at: number;
  readonly isMember: boolean;
  /** Name of the event that brought it about; undefined where time alone did. */
  readonly by: string | undefined;
}

/** What became of a visitor. */
export interface Played {
  /** The membership at the first moment, and each change of it. */
  readonly changes: readonly Change[];
  /** The moments that are shown: ms since 1970. */
  readonly from: number;
  readonly to: number;
  /** What the engine reported. */
  readonly errors: readonly string[];
  /** Names of the events that the query listens to. */
  readonly listens: readonly string[];
  /** Bytes of the state that is stored for the visitor in the end. */
  readonly stateBytes: number;
  /** Mean time of an event, in µs, over as many repetitions as fit into some ms. */
  readonly eventUs: number;
}

const source = '00000000-0000-4000-8000-000000000001';
/** Most changes by time alone between two events; a query that flips more often is shown up to there. */
const maxFlips = 50;
/** How long after the last event time goes on, so that windows can end. */
const tailMs = 35 * dayMs;
/** How long repetitions are measured. */
const measureMs = 10;

/** Data that a page would look up. There is none in the playground. */
const noData = { geo: {}, client: {}, user: {}, classification: {}, thirdParty: {}, secondParty: {}, lookalike: {} };

const contextOf = ({ session_id, view_id, time }: EngineEvent): RuntimeInput['context'] => ({
  session: { id: session_id ?? '', startedAt: time },
  view: { id: view_id ?? '', startedAt: time },
});

/** An engine that has begun just before the first event. */
const begin = (
  init: Init,
  queries: readonly Definition[],
  events: readonly EngineEvent[],
  errors: string[] = [],
): Engine => {
  const first = events[0] ?? { name: '', time: 0, properties: {} };
  const engine = init({
    event_source_id: source,
    now: first.time - 1,
    bundle: { v: 1, id: 'playground', seed: 0, queries },
    state: null,
    context: contextOf(first),
    lookups: noData,
    pending: [],
  });
  errors.push(...engine.bootstrap().errors, ...engine.replay([]).errors);
  return engine;
};

/** Feeds one event, with the session and view that it belongs to. */
const feed = (engine: Engine, event: EngineEvent): readonly string[] => [
  ...engine.updateContext(contextOf(event)).errors,
  ...engine.process([event], event.time).errors,
];

/**
 * Plays a visitor through an engine that has the query `id`, and the queries that it reads, and nothing else. Between
 * events, time is stopped wherever the explanation says that time alone changes something, so each change is found at
 * its moment.
 */
export const playQuery = (
  init: Init,
  id: string,
  queries: readonly Definition[],
  events: readonly EngineEvent[],
): Played => {
  const errors: string[] = [];
  const engine = begin(init, queries, events, errors);
  const isMember = (): boolean => engine.members().includes(id);
  const from = (events[0]?.time ?? 0) - 1;
  const to = (events.at(-1)?.time ?? 0) + tailMs;
  const changes: Change[] = [{ at: from, isMember: isMember(), by: undefined }];
  const note = (at: number, by: string | undefined): void => {
    if (changes.at(-1)?.isMember !== isMember()) changes.push({ at, isMember: isMember(), by });
  };
  const passTime = (until: number): void => {
    for (let flips = 0; flips < maxFlips; flips++) {
      // The cohorts that the query reads change by themselves too.
      const next = Math.min(...queries.map((query) => nextChangeOf(engine.explain(query.id))));
      if (next >= until) break;
      errors.push(...engine.tick(next).errors);
      note(next, undefined);
    }
  };
  for (const event of events) {
    passTime(event.time);
    errors.push(...feed(engine, event));
    note(event.time, event.name);
  }
  passTime(to);
  return {
    changes,
    from,
    to,
    errors: [...new Set(errors)],
    listens: engine.triggersOf(id),
    stateBytes: new TextEncoder().encode(JSON.stringify(engine.snapshot())).length,
    eventUs: meanUs(init, queries, events),
  };
};

/** The earliest moment at which time alone changes something in a query; never where it is not known. */
const nextChangeOf = (explanation: Explanation | null): number =>
  explanation === null ? Infinity : nextChange(explanation.tree, Date.parse(explanation.at));

/** The earliest moment after `now` at which time alone changes a node. */
const nextChange = (node: ExplainedNode, now: number): number => {
  const { changesAt, of } = node as { readonly changesAt?: string; readonly of?: readonly ExplainedNode[] };
  const own = changesAt === undefined ? Infinity : Date.parse(changesAt);
  return Math.min(own > now ? own : Infinity, ...(of ?? []).map((child) => nextChange(child, now)));
};

const meanUs = (init: Init, queries: readonly Definition[], events: readonly EngineEvent[]): number => {
  if (events.length === 0) return 0;
  let [count, spentMs] = [0, 0];
  while (spentMs < measureMs) {
    const engine = begin(init, queries, events);
    const start = performance.now();
    for (const event of events) feed(engine, event);
    spentMs += performance.now() - start;
    count += events.length;
    // A clock that stands still must not keep the page.
    if (count > 100_000) break;
  }
  return (1000 * spentMs) / count;
};

/** The explanation of the query at one moment; null where the engine does not have it. */
export const explainAt = (
  init: Init,
  id: string,
  queries: readonly Definition[],
  events: readonly EngineEvent[],
  at: number,
): Explanation | null => {
  const engine = begin(init, queries, events);
  for (const event of events) if (event.time <= at) feed(engine, event);
  engine.tick(at);
  return engine.explain(id);
};

/** Whether the visitor is a member at a moment. */
export const memberAt = ({ changes }: Pick<Played, 'changes'>, at: number): boolean =>
  changes.filter((change) => change.at <= at).at(-1)?.isMember ?? false;
