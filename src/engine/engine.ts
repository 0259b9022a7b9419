import { createEngine } from './cohortEngine';
import { readDefinition } from './definition';
import type { Engine as PageEngine, RuntimeInput } from './engineInterface';
import { explainQuery, type Explanation } from './explain';
import type { Id } from './language';

export type { QueriesChunk } from './chunk';
export type { Context } from './context';
export type { EngineEvent } from './engineEvent';
export type { RuntimeInput } from './engineInterface';
export type { ExplainedNode, Explanation } from './explain';
export type { Bundle, Definition, Id, LookupName } from './language';
export type { Report, Transition } from './report';
export type { Delta, DeltaToken } from './sync';
export type { Usage } from './usage';

/** An engine that can say why. */
export interface Engine extends PageEngine {
  readonly explain: (id: Id) => Explanation | null;
}

/** Makes an engine that takes definitions of any form, checks them, and explains its results. Nothing is evaluated before `bootstrap`. */
export const init = (input: RuntimeInput): Engine => {
  const engine = createEngine(input, readDefinition);
  return { ...engine, explain: (id) => engine.inspect(id, explainQuery) };
};
