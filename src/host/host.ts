import { concatMap, connect, defer, EMPTY, exhaustMap, filter, interval, map, merge, mergeMap, type Observable, of, tap } from 'rxjs';
import type { FromHost, Start, ToHost } from '../model/protocol';
import { coalesce } from '../operators/coalesce';
import { debounceUntil } from '../operators/debounceUntil';
import { isolate } from '../operators/isolate';
import type { KeyValueStore } from '../platform/platform';
import { type Effect, type EngineRunner, type EngineRunnerDeps, engineRunner } from './engineRunner';
import { type EventsCache, eventsCache } from './eventsCache';

/** The host's clocks (spec C§9, S§9). */
const saveQuietMs = 5000;
const tickMs = 1000;

export interface HostDeps extends EngineRunnerDeps {
  readonly store: (workspaceId: string) => KeyValueStore;
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
      connect((effect$) => merge(...consequences(effect$, runner, cache))),
    );
  });

/** Messages at once, so that the page has all that is known when it goes away; events and state to the store. */
const consequences = (effect$: Observable<Effect>, runner: EngineRunner, cache: EventsCache): readonly Observable<FromHost>[] => [
  effect$.pipe(mergeMap(({ messages }) => messages)),
  effect$.pipe(
    mergeMap(({ cached }) => (cached === undefined ? EMPTY : of(cached))),
    tap((cached) => cache.add(cached)),
    coalesce(() => cache.save()),
  ),
  effect$.pipe(
    filter(({ processed }) => processed === true),
    debounceUntil(saveQuietMs, effect$.pipe(filter(({ flush }) => flush === true))),
    coalesce(() => runner.save()),
  ),
];
