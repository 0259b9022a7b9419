import {
  concatMap,
  connect,
  debounceTime,
  defer,
  EMPTY,
  exhaustMap,
  filter,
  from,
  ignoreElements,
  interval,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  take,
  tap,
} from 'rxjs';

import type { EngineCommand, EngineMessage, Start } from '../model/engineCommands';
import type { Report } from '../model/report';
import { debounceUntil } from '../operators/debounceUntil';
import { exhaustLatest } from '../operators/exhaustLatest';
import { isolate } from '../operators/isolate';
import type { EventStore } from '../platform/platform';
import { isCached, thisPage } from './cachedEvent';
import { type Effect, type EngineRunner, engineRunner } from './engineRunner';
import { type EventsCache, eventsCache } from './eventsCache';
import type { ServicesDeps } from './services';

/** The host's clocks (spec C§9, S§9). */
const saveQuietMs = 5000;
const reportQuietMs = 5000;
const tickMs = 1000;

type Services = typeof import('./services');

export interface EngineHostDeps extends ServicesDeps {
  /** `leftBehind`: local storage has what belongs there. */
  readonly store: (workspaceId: string, leftBehind: boolean) => EventStore;
  /**
   * State sync, cloud lift, models, validation: loaded once the engine runs, for the first cohorts do not wait for them.
   * Resolves before another message is heard, so that they miss nothing.
   */
  readonly loadServices: () => Promise<Pick<Services, 'services'>>;
}

/**
 * The engine's home: keeps the visitor's events and query state, evaluates, and tells the page what came of it.
 * The same in a worker and on the page. Lives until unsubscribed; a failure of one message costs that message.
 */
export const engineHost = (message$: Observable<EngineCommand>, deps: EngineHostDeps): Observable<EngineMessage> =>
  message$.pipe(
    filter((message) => message.type === 'start'),
    // exhaustMap: a host serves one visit; whoever starts another opens another host.
    exhaustMap((start) => visit(start, message$, deps)),
  );

const visit = (start: Start, message$: Observable<EngineCommand>, deps: EngineHostDeps): Observable<EngineMessage> =>
  defer(() => {
    const store = deps.store(start.workspaceId, start.leftBehind);
    const cache = eventsCache({ ...deps, store, limitBytes: start.cacheLimitBytes, ttlDays: start.cacheTtlDays });
    const runner = engineRunner(start, store, cache, deps);
    return merge(of('load' as const), message$, interval(tickMs).pipe(map(() => 'tick' as const))).pipe(
      // concatMap: what comes while the engine loads waits, and is processed in order.
      concatMap((task) => runner.run(task).pipe(isolate('Query Language: Exception during evaluation', deps.report))),
      connect((task$) => merge(task$, served(task$, start, runner, store, deps))),
      connect((effect$) => merge(...consequences(effect$, runner, cache, deps.report))),
    );
  });

/** The services, from the moment the engine runs. */
const served = (
  task$: Observable<Effect>,
  start: Start,
  runner: EngineRunner,
  store: EventStore,
  deps: EngineHostDeps,
): Observable<Effect> =>
  task$.pipe(
    mergeMap(({ loaded }) => (loaded === undefined ? EMPTY : of(loaded))),
    take(1),
    mergeMap((loaded) =>
      from(deps.loadServices()).pipe(
        mergeMap(({ services }) => services(task$, loaded, { start, runner, store, deps })),
        isolate('Exception in the services of the engine', deps.report),
      ),
    ),
  );

/** Messages at once, so that the page has all that is known when it goes away; events and state to the store. */
const consequences = (
  effect$: Observable<Effect>,
  runner: EngineRunner,
  cache: EventsCache,
  report: Report,
): readonly Observable<EngineMessage>[] => [
  effect$.pipe(mergeMap(({ messages }) => messages)),
  effect$.pipe(
    mergeMap(({ event }) => (event !== undefined && isCached(event.name) ? of(event) : EMPTY)),
    tap((event) => cache.add(event)),
    exhaustLatest(() => cache.save()),
    debounceTime(reportQuietMs),
    tap((cause) => report(`Events cache failed to put ${thisPage}.`, cause)),
    ignoreElements(),
  ),
  effect$.pipe(
    filter(({ event, stateChanged }) => event !== undefined || stateChanged === true),
    debounceUntil(saveQuietMs, effect$.pipe(filter(({ flush }) => flush === true))),
    exhaustLatest(() => runner.save()),
  ),
];
