import { createEngine } from './cohortEngine';
import type { EngineEvent } from './engineEvent';
import type { EngineMethods, ExchangeMethods, LiftMethods, PageEngine } from './engineInterface';
import { explainQuery, type Explanation } from './evaluate/explain';
import { type EngineReport, runToEnd } from './evaluate/report';
import { type Usage, usageOf } from './evaluate/usage';
import type { Definition, Id, LookupName } from './language/language';
import { readDefinition } from './language/languageCodec';
import type { RuntimeInput } from './runtimeInput';
import { exchanging } from './state/exchange';
import { lifting } from './state/lift';
import { merging, type MergingEngine } from './state/mergeStored';

export type { Transition } from '../model/engineMessages';
export type { EngineEvent } from './engineEvent';
export type { Delta, DeltaToken } from './engineInterface';
export type { Context } from './evaluate/context';
export type { ExplainedNode, Explanation } from './evaluate/explain';
export type { EngineReport as Report } from './evaluate/report';
export type { Usage } from './evaluate/usage';
export type { Bundle, Definition, Id, LookupName } from './language/language';
export type { RuntimeInput } from './runtimeInput';
export type { QueriesChunk } from './state/chunk';

/**
 * An engine with all that can be asked of it. Used by tests, benchmarks and tools in Node. The worker takes the parts
 * that it needs, one by one.
 */
export interface Engine extends EngineMethods, ExchangeMethods, LiftMethods, Pick<MergingEngine, 'mergeStored'> {
  /** All steps of `bootstrapSteps` at once. */
  readonly bootstrap: () => EngineReport;
  /**
   * All steps of `replaySteps` at once. `events`: past events in any order; `only`: ids of the queries to rebuild, in
   * place of those that have no usable state.
   */
  readonly replay: (events: readonly EngineEvent[], only?: ReadonlySet<Id>) => EngineReport;
  /** All steps of `externalStateSteps` at once. */
  readonly updateExternalState: (stateJson: string, offset: number) => EngineReport;
  /** All steps of `appendLiftedSteps` at once. */
  readonly appendLifted: (states: unknown, definitions?: readonly Definition[]) => EngineReport;
  /** Why a query holds or does not, node by node; null when there is no query of that id. */
  readonly explain: (id: Id) => Explanation | null;
  /** The third-party segments that made cohorts true, sorted by provider and id, each once. */
  readonly usage: () => Usage[];
  /** The names of the events that concern a query; empty when there is no query of that id. */
  readonly triggersOf: (id: Id) => string[];
}

/**
 * Makes an engine that takes definitions of any form: they are checked and brought into canonical form. A definition
 * that fails is left out with an error in the report of `bootstrap`. No query is evaluated before `bootstrap`.
 */
export const init = (input: RuntimeInput): Engine & PageEngine => {
  const mergingEngine = merging(createEngine(input, readDefinition));
  const engine = lifting(exchanging(mergingEngine));
  const { machine, life } = engine.parts;
  const { catalogue, lookups } = machine;
  return {
    ...engine,
    mergeStored: mergingEngine.mergeStored,
    bootstrap: () => runToEnd(engine.bootstrapSteps()),
    replay: (events, only) => runToEnd(engine.replaySteps(events, only)),
    updateExternalState: (stateJson, offset) => runToEnd(engine.externalStateSteps(stateJson, offset)),
    appendLifted: (states, definitions = []) => {
      const { appendErrors, ...report } = runToEnd(engine.appendLiftedSteps(states, definitions));
      return { ...report, errors: [...report.errors, ...appendErrors] };
    },
    explain: (id) => {
      const query = life.find(id);
      return query === undefined ? null : explainQuery(query, machine);
    },
    usage: () => usageOf(catalogue.queries.values(), lookups),
    triggersOf: (id) => {
      const uses = life.find(id)?.uses;
      return uses === undefined
        ? []
        : [...uses.events, ...pseudoEvents.filter(([lookup]) => uses.lookups.has(lookup)).map(([, name]) => name)];
    },
  };
};

/** The names under which the arrival of data is listed among the events of a query. */
const pseudoEvents: readonly (readonly [LookupName, string])[] = [
  ['thirdParty', 'UpdateThirdPartyData'],
  ['secondParty', 'UpdateSecondPartyData'],
  ['lookalike', 'UpdateLookalikeModels'],
];
