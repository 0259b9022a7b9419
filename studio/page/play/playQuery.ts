import { beginVisit, type Visit } from '../../../project/visits/visits';
import type { Definition, EngineEvent, Explanation } from '../../../src/engine/engine';
import type { ExplainedNode } from '../../../src/engine/evaluate/explain';
import { dayMs } from '../../../src/primitives/duration';

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

/** Most changes by time alone between two events; a query that flips more often is shown up to there. */
const maxFlips = 50;
/** How long after the last event time goes on, so that windows can end. */
const tailMs = 35 * dayMs;
/** How long repetitions are measured. */
const measureMs = 10;

/** The visitor just before the first event, with these queries. */
const begin = (queries: readonly Definition[], events: readonly EngineEvent[]): Visit =>
  beginVisit(events, { v: 1, id: 'studio', seed: 0, queries }, (events[0]?.time ?? 0) - 1);

/**
 * Plays a visitor through an engine that has the query `id`, and the queries that it reads, and nothing else. Between
 * events, time is stopped wherever the explanation says that time alone changes something, so each change is found at
 * its moment. Time goes on to `until` at least.
 */
export const playQuery = (
  id: string,
  queries: readonly Definition[],
  events: readonly EngineEvent[],
  until = -Infinity,
): Played => {
  const { engine, take, errors: startErrors } = begin(queries, events);
  const errors = [...startErrors];
  const isMember = (): boolean => engine.members().includes(id);
  const from = (events[0]?.time ?? 0) - 1;
  const to = Math.max((events.at(-1)?.time ?? 0) + tailMs, until);
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
  for (const [i, event] of events.entries()) {
    passTime(event.time);
    errors.push(...take(i));
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
    eventUs: meanUs(queries, events),
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

const meanUs = (queries: readonly Definition[], events: readonly EngineEvent[]): number => {
  if (events.length === 0) return 0;
  let [count, spentMs] = [0, 0];
  while (spentMs < measureMs) {
    const { take } = begin(queries, events);
    const start = performance.now();
    for (let i = 0; i < events.length; i++) take(i);
    spentMs += performance.now() - start;
    count += events.length;
    // A clock that stands still must not keep the page.
    if (count > 100_000) break;
  }
  return (1000 * spentMs) / count;
};

/** The explanation of the query at one moment; null where the engine does not have it. */
export const explainAt = (
  id: string,
  queries: readonly Definition[],
  events: readonly EngineEvent[],
  at: number,
): Explanation | null => {
  const { engine, take } = begin(queries, events);
  for (const [i, { time }] of events.entries()) if (time <= at) take(i);
  engine.tick(at);
  return engine.explain(id);
};

/** Whether the visitor is a member at a moment. */
export const memberAt = ({ changes }: Pick<Played, 'changes'>, at: number): boolean =>
  changes.filter((change) => change.at <= at).at(-1)?.isMember ?? false;
