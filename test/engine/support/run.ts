import { type Engine, init, type RuntimeInput } from '../../../src/engine/engine';
import type { EngineEvent } from '../../../src/engine/engineEvent';
import type { Definition, Expr } from '../../../src/engine/language/language';

export const source = 'aaaaaaaa-0000-4000-8000-000000000001';
export const t0 = 1_700_000_000_000;

/** An event with properties; its session and view are the context's of `start`. */
export const event = (
  name: string,
  time: number,
  properties: EngineEvent['properties'] = {},
  ids: Partial<EngineEvent> = {},
): EngineEvent => ({
  name,
  time,
  properties,
  session_id: 's1',
  view_id: 'v1',
  ...ids,
});

/** Definitions with the ids 1, 2, … of conditions. */
export const definitions = (...conditions: readonly (Expr | Omit<Definition, 'id'>)[]): Definition[] =>
  conditions.map((condition, i) => ({ id: String(i + 1), ...('q' in condition ? condition : { q: condition }) }));

export const inputOf = (queries: readonly Definition[], changes: Partial<RuntimeInput> = {}): RuntimeInput => ({
  event_source_id: source,
  now: t0,
  bundle: { v: 1, id: 'bundle', seed: 0, queries },
  state: null,
  context: { session: { id: 's1', startedAt: t0 }, view: { id: 'v1', startedAt: t0 } },
  lookups: {},
  pending: [],
  ...changes,
});

/** An engine that has started and has no past. */
export const start = (queries: readonly Definition[], changes: Partial<RuntimeInput> = {}): ReturnType<typeof init> => {
  const engine = init(inputOf(queries, changes));
  engine.bootstrap();
  engine.replay([]);
  return engine;
};

/** What is stored, as it comes back from the store. */
export const stored = (engine: Engine): unknown => JSON.parse(JSON.stringify(engine.snapshot()));
