import {
  catchError,
  concatMap,
  connect,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  type OperatorFunction,
  scan,
  skip,
  startWith,
  withLatestFrom,
} from 'rxjs';

import type { Report as EngineReport } from '../engine/engine';
import type { Query } from '../engine/evaluate/query';
import { usageOf } from '../engine/evaluate/usage';
import { exchanging } from '../engine/state/exchange';
import type { Explained } from '../model/engineMessages';
import type { CachedEvent } from './cachedEvent';
import { tellEnds } from './cohortEnds';
import { type Effect, type Loaded, tell } from './effects';
import { engineMetrics } from './engineMetrics';
import { knownEvents } from './knownEvents';
import { lateLift } from './lateLift';
import { publishEngineMetrics } from './publishEngineMetrics';
import { runModels } from './runModels';
import { runStateSync } from './runStateSync';
import { runValidation } from './runValidation';
import { evaluatedEvents, type ExchangingEngine, type ServedEngine } from './servedEngine';

export { recountable } from './recount';
export { takeOver } from './takeOver';

/**
 * The services of an engine that is ready: cloud lift (events that are counted on the server), lookalike models, state
 * sync with the visitor's other devices, usage of third-party data, explanations, validation and metrics. `task$`: the
 * effects of the engine's tasks, hot. Emits the effects of the services.
 *
 * State sync reads the tasks and the results of cloud lift and models. Usage reads all of these and the results of
 * state sync. The nested `connect` gives each of them its readers without a loop.
 */
export const services = (task$: Observable<Effect>, loaded: Loaded, served: ServedEngine): Observable<Effect> => {
  const exchange = { ...served, loaded: { ...loaded, engine: exchanging(loaded.engine) } };
  const metrics = engineMetrics(served.deps);
  const toEffects: OperatorFunction<EngineReport, Effect> = mergeMap(loaded.effectsOf);
  return merge(
    merge(
      lateLift(task$, exchange).pipe(toEffects),
      served.start.hasModels ? runModels(exchange, metrics) : EMPTY,
    ).pipe(
      // State sync ignores its own results: other devices are not told what came from them.
      connect((result$) => merge(result$, runStateSync(merge(task$, result$), exchange).pipe(toEffects))),
      connect((result$) => merge(result$, tellUsage(merge(task$, result$), exchange))),
    ),
    runValidation(task$, loaded, served),
    tellExplanations(task$, loaded, served),
    tellEnds(task$, loaded, served.deps),
    served.start.isMeasured ? publishEngineMetrics(task$, metrics, loaded, served.deps) : EMPTY,
  );
};

/**
 * Tells the page which third-party segments made cohorts true, at each change. The list of segments changes when data
 * comes, and when a cohort is entered or left.
 */
const tellUsage = (effect$: Observable<Effect>, { loaded, deps }: ExchangingEngine): Observable<Effect> => {
  const { catalogue, lookups } = loaded.engine.parts.machine;
  return effect$.pipe(
    filter(
      (effect) => effect.type === 'dataProvided' || (effect.type === 'tell' && effect.message.type === 'transitions'),
    ),
    startWith(null),
    map(() => usageOf(catalogue.queries.values(), lookups)),
    // The comparison starts from an empty list, which is not told.
    startWith([]),
    distinctUntilChanged((a, b) => deps.json.stringify(a) === deps.json.stringify(b)),
    skip(1),
    map((usage) => tell({ type: 'usage', usage })),
  );
};

/** Events of this page that are remembered for explanations, at most: the latest. */
const maxSeen = 1000;

/** What is answered where explanations do not load. */
const unexplained = { text: 'The cohort could not be explained.', explanation: null };

/**
 * Answers the page why a query holds or does not, in words and in parts; null for an id without a query. Says with it
 * how many of the events that the page has found in the journal the engine has not counted.
 */
const tellExplanations = (
  task$: Observable<Effect>,
  { engine, past }: Loaded,
  { deps, runner }: ServedEngine,
): Observable<Effect> => {
  const { machine, life } = engine.parts;
  const known = knownEvents(past, deps);
  const seen$ = evaluatedEvents(task$).pipe(
    scan<CachedEvent, readonly CachedEvent[]>((events, event) => [...events.slice(1 - maxSeen), event], []),
    startWith([]),
  );
  const explain = (query: Query, seen: readonly CachedEvent[]): Observable<Pick<Explained, 'text' | 'explanation'>> =>
    defer(deps.load.explanations).pipe(
      mergeMap(({ explanationOf }) => known(seen).pipe(map((events) => explanationOf(query, machine, events)))),
      catchError((cause: unknown) => {
        deps.report('Failed to explain a cohort', cause);
        return of(unexplained);
      }),
    );
  return task$.pipe(
    filter((effect) => effect.type === 'explanationRequested'),
    withLatestFrom(seen$),
    // concatMap: several questions at once read the store once.
    concatMap(([{ asked }, seen]) => {
      const { request, id, left } = asked;
      const waiting = left.filter((event) => !runner.isCounted(event)).length;
      const query = life.find(id);
      const answer$ = query === undefined ? of({ text: null, explanation: null }) : explain(query, seen);
      return answer$.pipe(map((answer) => tell({ type: 'explained', request, ...answer, waiting })));
    }),
  );
};
