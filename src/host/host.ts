import { concatMap, connect, defer, EMPTY, exhaustMap, filter, from, interval, map, merge, mergeMap, type Observable, of, take, tap } from 'rxjs';
import type { FromHost, Start, ToHost } from '../model/protocol';
import { coalesce } from '../operators/coalesce';
import { debounceUntil } from '../operators/debounceUntil';
import { isolate } from '../operators/isolate';
import type { KeyValueStore } from '../platform/platform';
import { isCached } from './cachedEvent';
import { type Effect, type EngineRunner, engineRunner } from './engineRunner';
import { type EventsCache, eventsCache } from './eventsCache';
import type { ServicesDeps } from './services';

/** The host's clocks (spec C§9, S§9). */
const saveQuietMs = 5000;
const tickMs = 1000;

type Services = typeof import('./services');

export interface HostDeps extends ServicesDeps {
  readonly store: (workspaceId: string) => KeyValueStore;
  /**
   * State sync, cloud lift, models, validation: loaded once the engine runs, for the first cohorts do not wait for them.
   * Resolves before another message is heard, so that they miss nothing.
   */
  readonly loadServices: () => Promise<Services>;
}

/**
 * The engine's home: keeps the visitor's events and query state, evaluates, and tells the page what came of it.
 * The same in a worker and on the page. Lives until unsubscribed; a failure of one message costs that message.
 */
export const host = (message$: Observable<ToHost>, deps: HostDeps): Observable<FromHost> =>
  message$.pipe(
    filter((message) => message.type === 'start'),
    // exhaustMap: a host serves one visit; whoever starts another opens another host.
    exhaustMap((start) => visit(start, message$, deps)),
  );

const visit = (start: Start, message$: Observable<ToHost>, deps: HostDeps): Observable<FromHost> =>
  defer(() => {
    const store = deps.store(start.workspaceId);
    const cache = eventsCache({ ...deps, store, limitBytes: start.cacheLimitBytes, ttlDays: start.cacheTtlDays });
    const runner = engineRunner(start, store, cache, deps);
    return merge(of('load' as const), message$, interval(tickMs).pipe(map(() => 'tick' as const))).pipe(
      // concatMap: what comes while the engine loads waits, and is processed in order.
      concatMap((task) => runner.run(task).pipe(isolate('Query Language: Exception during evaluation', deps.report))),
      connect((task$) => merge(task$, served(task$, start, runner, store, deps))),
      connect((effect$) => merge(...consequences(effect$, runner, cache))),
    );
  });

/** The services, from the moment the engine runs. */
const served = (task$: Observable<Effect>, start: Start, runner: EngineRunner, store: KeyValueStore, deps: HostDeps): Observable<Effect> =>
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
const consequences = (effect$: Observable<Effect>, runner: EngineRunner, cache: EventsCache): readonly Observable<FromHost>[] => [
  effect$.pipe(mergeMap(({ messages }) => messages)),
  effect$.pipe(
    mergeMap(({ event }) => (event !== undefined && isCached(event.name) ? of(event) : EMPTY)),
    tap((event) => cache.add(event)),
    coalesce(() => cache.save()),
  ),
  effect$.pipe(
    filter(({ event, stateChanged }) => event !== undefined || stateChanged === true),
    debounceUntil(saveQuietMs, effect$.pipe(filter(({ flush }) => flush === true))),
    coalesce(() => runner.save()),
  ),
];
