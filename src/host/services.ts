import { concat, connect, EMPTY, filter, ignoreElements, map, merge, mergeMap, type Observable, of, type OperatorFunction, startWith, tap } from 'rxjs';
import { bundleChecksumOf } from '../engine/canonical';
import type { Report as EngineReport } from '../engine/engine';
import type { Start } from '../model/protocol';
import type { KeyValueStore } from '../platform/platform';
import type { Ask } from './ask';
import { cloudLift } from './cloudLift';
import type { Effect, EngineRunner, EngineRunnerDeps, Loaded } from './engineRunner';
import { explainWords } from './explainWords';
import { lookalikeModels } from './models';
import { stateSync } from './stateSync';
import { validation } from './validation';

export { takeOver } from './takeOver';

export interface ServicesDeps extends EngineRunnerDeps {
  readonly ask: Ask;
  readonly random: () => number;
}

export interface ServedEngine {
  readonly start: Start;
  readonly runner: EngineRunner;
  readonly store: KeyValueStore;
  readonly deps: ServicesDeps;
}

/**
 * What the engine gets from elsewhere once it runs: counts of events that are evaluated on the server, lookalike models, the
 * states of the visitor's other devices, which hear of ours; and what only some ask for: explanations, a check of the state.
 */
export const services = (task$: Observable<Effect>, loaded: Loaded, served: ServedEngine): Observable<Effect> => {
  const { start, runner, store, deps } = served;
  return merge(
    merge(lifted(task$, loaded, deps), modelled(loaded, start, store, deps)).pipe(
      toEffects(loaded, runner),
      // State sync hears what those have brought; what it brings itself is nothing to tell.
      connect((brought$) => merge(brought$, synced(merge(task$, brought$), loaded, served).pipe(toEffects(loaded, runner)))),
    ),
    validated(task$, loaded, runner, deps),
    explained(task$),
  );
};

const explained = (task$: Observable<Effect>): Observable<Effect> =>
  task$.pipe(
    mergeMap(({ asked }) => (asked === undefined ? EMPTY : of(asked))),
    map(({ request, explanation }) => ({ messages: [{ type: 'explained', request, text: explanation && explainWords(explanation) }] })),
  );

const toEffects =
  ({ engine }: Loaded, runner: EngineRunner): OperatorFunction<EngineReport, Effect> =>
  (report$) =>
    report$.pipe(map((report) => runner.effectOf(engine, report)));

const lifted = (effect$: Observable<Effect>, { engine, chunk, cached }: Loaded, { bundle, ask, report }: ServicesDeps): Observable<EngineReport> => {
  if (bundle.lift === undefined) return EMPTY;
  const states = (chunk.state?.['internal_query_states'] ?? {}) as Readonly<Record<string, { readonly checksum: string }>>;
  const event$ = effect$.pipe(mergeMap(({ event }) => (event === undefined ? EMPTY : of(event))));
  return cloudLift(
    event$,
    cached,
    {
      engine,
      bundle: { id: bundle.id, events: bundle.lift.events, queries: bundle.queries },
      storedChecksums: new Map(Object.entries(states).map(([id, { checksum }]) => [id, checksum])),
    },
    { ask, report },
  );
};

const modelled = ({ engine }: Loaded, { hasModels, workspaceId }: Start, store: KeyValueStore, deps: ServicesDeps): Observable<EngineReport> =>
  hasModels ? lookalikeModels(workspaceId, { ...deps, store }).pipe(map((models) => engine.updateData({ lookalike: models }))) : EMPTY;

const synced = (effect$: Observable<Effect>, { engine, chunk, eventSourceId, sourceStored$, context }: Loaded, { start: { userId }, runner, deps }: ServedEngine): Observable<EngineReport> =>
  concat(
    sourceStored$,
    stateSync(
      effect$.pipe(
        filter(({ stateChanged }) => stateChanged === true),
        startWith(null),
      ),
      engine,
      {
        groupId: userId,
        eventSourceId,
        session: () => context().session.id,
        lastSession: chunk.syncedSession,
        isNew:
          chunk.eventSourceId === undefined ||
          chunk.groupId === undefined ||
          chunk.state?.['bundle_checksum'] !== bundleChecksumOf(deps.bundle.queries.map(({ id, checksum = '' }) => [id, checksum] as const)) ||
          engine.stateMigratedThisInitialisation,
        onFetched: (syncedSession) => runner.note({ syncedSession }),
      },
      deps,
    ),
  );

const validated = (effect$: Observable<Effect>, { chunk, cached, input, context }: Loaded, runner: EngineRunner, deps: ServicesDeps): Observable<never> => {
  const past = [...cached];
  const session = context().session.id;
  runner.note({ validatedSession: session });
  const collected$ = effect$.pipe(
    tap(({ event }) => {
      if (event !== undefined) past.push(event);
    }),
    ignoreElements(),
  );
  const run$ = validation(chunk.validatedSession === session, { definitions: deps.bundle.queries, input, stored: runner.stored, cached: () => past }, deps).pipe(
    tap(({ mismatches }) => {
      for (const id of mismatches.slice(0, maxReported)) deps.report(`Query Language: validation mismatch ${id}`);
    }),
    ignoreElements(),
  );
  return merge(collected$, run$);
};
const maxReported = 20;
