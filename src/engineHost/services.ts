import {
  concat,
  connect,
  distinctUntilChanged,
  EMPTY,
  filter,
  ignoreElements,
  interval,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  type OperatorFunction,
  skip,
  startWith,
  tap,
} from 'rxjs';

import type { Id, Report as EngineReport } from '../engine/engine';
import type { Engine } from '../engine/engineInterface';
import { explainQuery } from '../engine/evaluate/explain';
import { usageOf } from '../engine/evaluate/usage';
import { bundleChecksumOf } from '../engine/language/checksums';
import { exchanging } from '../engine/state/exchange';
import type { Start } from '../model/engineCommands';
import type { Json } from '../model/json';
import { inSlices } from '../operators/creators/inSlices';
import type { KeyValueStore } from '../platform/platform';
import type { Ask } from './ask';
import { bytesOf, type CachedEvent } from './cachedEvent';
import { cloudLift, type LiftedEngine } from './cloudLift';
import { engineMetrics, type Metrics } from './engineMetrics';
import type { Effect, EngineRunner, EngineRunnerDeps, Loaded } from './engineRunner';
import { explainWords } from './explainWords';
import { lookalikeModels, type ModelsDeps } from './lookalikeModels';
import { stateSync } from './stateSync';
import { validation, type ValidationSubject } from './validation';

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
export const services = (task$: Observable<Effect>, live: Loaded, served: ServedEngine): Observable<Effect> => {
  const loaded = { ...live, engine: exchanging(live.engine) };
  const { start, runner, store, deps } = served;
  const metrics = engineMetrics(deps);
  return merge(
    merge(lifted(task$, loaded, runner, deps), modelled(loaded, start, store, { ...deps, metrics })).pipe(
      toEffects(loaded, runner),
      // State sync hears what those have brought; what it brings itself is nothing to tell.
      connect((brought$) =>
        merge(brought$, synced(merge(task$, brought$), loaded, served).pipe(toEffects(loaded, runner))),
      ),
      connect((brought$) => merge(brought$, used(merge(task$, brought$), loaded, deps))),
    ),
    validated(task$, loaded, runner, deps),
    explained(task$, loaded),
    measured(metrics, loaded, runner, deps),
  );
};

interface Exchanging extends Loaded {
  readonly engine: Engine;
}

/** Third-party segments that cohorts are owed to: they change when data comes, and when a cohort is entered or left. */
const used = (effect$: Observable<Effect>, { engine }: Loaded, { json }: ServicesDeps): Observable<Effect> => {
  const { catalogue, lookups } = engine.parts.machine;
  return effect$.pipe(
    filter(({ provided, messages }) => provided === true || messages.some(({ type }) => type === 'transitions')),
    startWith(null),
    map(() => usageOf(catalogue.queries.values(), lookups)),
    startWith([]),
    distinctUntilChanged((a, b) => json.stringify(a) === json.stringify(b)),
    skip(1),
    map((usage) => ({ messages: [{ type: 'usage', usage }] })),
  );
};

/** What has been measured goes to the page as soon as a check finds some (spec C§9). */
const measured = (
  metrics: Metrics,
  { past }: Loaded,
  { timings }: EngineRunner,
  deps: ServicesDeps,
): Observable<Effect> => {
  const check$ = interval(metricsCheckMs).pipe(
    map(() => {
      for (const [step, ms] of timings.splice(0)) metrics.count('sdk_engine_seconds', ms / 1000, { step });
      return metrics.take();
    }),
    filter((items) => items.length > 0),
    map((items): Effect => ({ messages: [{ type: 'metrics', items }] })),
  );
  const sizes$ = inSlices(() => sizeOf(past, deps.json), deps).pipe(
    tap((bytes) => {
      metrics.count('sdk_events_cache_size_total', past.length);
      metrics.count('sdk_events_cache_byte_total', bytes);
    }),
    ignoreElements(),
  );
  return merge(check$, sizes$);
};
const metricsCheckMs = 100;

/** Bytes of the events as they are stored, one event a step. */
function* sizeOf(events: Loaded['past'], json: Json): Generator<unknown, number> {
  let bytes = 0;
  for (const event of events) {
    bytes += bytesOf(json.stringify(event));
    yield;
  }
  return bytes;
}

const explained = (task$: Observable<Effect>, { engine }: Loaded): Observable<Effect> =>
  task$.pipe(
    mergeMap(({ asked }) => (asked === undefined ? EMPTY : of(asked))),
    map(({ request, id }) => {
      const { catalogue, environment } = engine.parts.machine;
      const query = catalogue.queries.get(id);
      return {
        messages: [
          {
            type: 'explained',
            request,
            text: query === undefined ? null : explainWords(explainQuery(query, environment)),
          },
        ],
      };
    }),
  );

const toEffects =
  ({ engine }: Loaded, runner: EngineRunner): OperatorFunction<EngineReport, Effect> =>
  (report$) =>
    report$.pipe(map((report) => runner.effectOf(engine, report)));

const lifted = (
  effect$: Observable<Effect>,
  { engine, chunk, past, missed }: Exchanging,
  runner: EngineRunner,
  { bundle, ask, report, random }: ServicesDeps,
): Observable<EngineReport> => {
  if (bundle.lift === undefined) return EMPTY;
  const { events } = bundle.lift;
  const before = new Set(chunk.unlifted);
  // All that this page has had in hand: of what other tabs have, it knows nothing.
  const handled = new Set(chunk.unlifted);
  return cloudLift(
    eventsOf(effect$),
    {
      engine,
      bundle: { id: bundle.id, events, queries: bundle.queries },
      storedChecksums: checksumsOf(chunk.state?.['internal_query_states']),
      past,
      isUnlifted: (event) => before.has(event.id) || missed.some(({ id }) => id === event.id),
      onWaiting: (waiting) => {
        const ids = waiting.map(({ id }) => id);
        for (const id of ids) handled.add(id);
        runner.note({ unlifted: (stored) => [...stored.filter((id) => !handled.has(id)), ...ids] });
      },
    },
    { ask, report, random },
  );
};

const eventsOf = (effect$: Observable<Effect>): Observable<CachedEvent> =>
  effect$.pipe(mergeMap(({ event }) => (event === undefined ? EMPTY : of(event))));

/** Of stored states, packed or not, and perhaps broken. */
const checksumsOf = (states: unknown): LiftedEngine['storedChecksums'] =>
  new Map(
    Object.entries(
      (states ?? {}) as Readonly<Record<Id, { readonly checksum?: string; readonly 0?: string } | null>>,
    ).map(([id, state]) => [id, state?.checksum ?? state?.[0]]),
  );

const modelled = (
  { engine }: Loaded,
  { hasModels, workspaceId }: Start,
  store: KeyValueStore,
  deps: Omit<ModelsDeps, 'store'>,
): Observable<EngineReport> =>
  hasModels
    ? lookalikeModels(workspaceId, { ...deps, store }).pipe(map((models) => engine.updateData({ lookalike: models })))
    : EMPTY;

const synced = (
  effect$: Observable<Effect>,
  { engine, chunk, eventSourceId, sourceStored$, context }: Exchanging,
  { start: { userId }, runner, deps }: ServedEngine,
): Observable<EngineReport> =>
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
          chunk.state?.['bundle_checksum'] !==
            bundleChecksumOf(deps.bundle.queries.map(({ id, checksum = '' }) => [id, checksum] as const)) ||
          engine.stateMigratedThisInitialisation,
        onFetched: (syncedSession) => runner.note({ syncedSession }),
      },
      deps,
    ),
  );

const validated = (
  effect$: Observable<Effect>,
  { chunk, past, input, context }: Loaded,
  runner: EngineRunner,
  deps: ServicesDeps,
): Observable<never> => {
  const subject: ValidationSubject = {
    session: context().session.id,
    remembered: chunk.validation,
    remember: (progress) => runner.note({ validation: progress }),
    definitions: deps.bundle.queries,
    input,
    stored: runner.stored,
    past,
  };
  return validation(eventsOf(effect$), subject, deps).pipe(
    tap(({ mismatches }) => {
      for (const id of mismatches.slice(0, maxReported)) deps.report(`Query Language: validation mismatch ${id}`);
    }),
    ignoreElements(),
  );
};
const maxReported = 20;
