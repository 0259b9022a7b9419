import {
  connect,
  debounce,
  defer,
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
  startWith,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';

import type { EngineCommand, EngineMessage, Start } from '../model/engineCommands';
import type { Report } from '../model/report';
import { perform } from '../operators/creators/perform';
import { debounceUntil } from '../operators/debounceUntil';
import { exhaustLatest } from '../operators/exhaustLatest';
import { inTurn } from '../operators/inTurn';
import { isolate } from '../operators/isolate';
import type { EventStore } from '../platform/platform';
import { isCached, thisPage } from './cachedEvent';
import type { Effect } from './effects';
import { type EngineRunner, engineRunner, tickMs } from './engineRunner';
import { type EventsCache, eventsCache } from './eventsCache';
import type { LoadParts } from './loadParts';
import type { ServedEngine, ServicesDeps } from './servedEngine';
import { timingStream, untimed } from './timing';

/** The host's clocks (spec C§9, S§9). */
const saveQuietMs = 5000;
/** Events may come without a pause. What a crash costs is bounded all the same. */
const saveAtLatestMs = 10_000;
const reportQuietMs = 5000;

/** Whose store is opened. */
type StoreOwner = Pick<Start, 'workspaceId' | 'userId' | 'isNew' | 'page' | 'leftBehind'>;

/** Store, clock, definitions and services of one host. */
export interface EngineHostDeps extends Omit<
  ServicesDeps,
  'store' | 'cache' | 'load' | 'loadRecount' | 'onTiming' | 'timing$'
> {
  /** Opens the store of a user in a workspace. */
  readonly store: (start: StoreOwner) => EventStore;
  readonly load: LoadParts;
}

/**
 * The engine's host: keeps the visitor's events and query state, evaluates, and emits the messages for the page. The
 * host is the same in a worker and on the page. The host waits for the first `start` message and then lives until the
 * `end` message or until it is unsubscribed. A failure while a message is processed is reported and costs that message.
 */
export const engineHost = (message$: Observable<EngineCommand>, deps: EngineHostDeps): Observable<EngineMessage> =>
  message$.pipe(
    filter((message) => message.type === 'start'),
    // exhaustMap: a host serves one visit. Another visit opens another host.
    exhaustMap((start) => hostVisit(start, message$, deps)),
    takeUntil(message$.pipe(filter((message) => message.type === 'end'))),
  );

/**
 * Runs one visit. Messages and clock ticks are tasks of one queue, behind the load of the engine. Each task makes
 * effects, and the services add effects of their own. Every effect goes to three readers: the page, the events cache,
 * and the saved state.
 */
const hostVisit = (
  start: Start,
  message$: Observable<EngineCommand>,
  deps: EngineHostDeps,
): Observable<EngineMessage> =>
  defer(() => {
    const store = deps.store(start);
    const { page } = start;
    const cache = eventsCache({ ...deps, store, page, limitBytes: start.cacheLimitBytes, ttlDays: start.cacheTtlDays });
    const visitDeps = {
      ...deps,
      store,
      cache,
      loadRecount: deps.load.services,
      ...(start.isMeasured ? timingStream() : untimed),
    };
    const runner = engineRunner(start, visitDeps);
    // The engine looks at the clock when it opens, however long that takes.
    const tick$ = interval(tickMs).pipe(
      filter(runner.isOpen),
      map(() => 'tick' as const),
    );
    return merge(of('load' as const), message$, tick$).pipe(
      // Tasks that come while the engine loads wait, and all tasks are processed in order. While the visitor's history
      // is unknown, they wait for it, and the page is told nothing as fact.
      inTurn((task) => runner.run(task).pipe(isolate('Query Language: Exception during evaluation', deps.report))),
      connect((task$) => merge(task$, runHostServices(task$, { start, runner, deps: visitDeps }, deps.load.services))),
      connect((effect$) =>
        merge(
          // Messages come first: at page exit the page knows every result before the stores are written.
          toldMessages(effect$),
          keepEvents(effect$, cache, deps.report),
          saveEngineState(effect$, runner),
        ),
      ),
    );
  });

/**
 * The services' effects. The services are loaded once the engine is ready, because the first cohorts do not need them.
 * Tasks that have waited for the engine run before that; the services hear of their effects as they start. A failure of
 * the services ends them and leaves the engine running.
 */
const runHostServices = (
  task$: Observable<Effect>,
  served: ServedEngine,
  loadServices: LoadParts['services'],
): Observable<Effect> =>
  task$.pipe(
    filter((effect) => effect.type === 'loaded'),
    take(1),
    mergeMap(({ loaded }) => {
      // Only those that listen as the services start hear what was before.
      let early: Effect[] | undefined = [];
      const heard$ = defer(() => (early ? task$.pipe(startWith(...early)) : task$));
      return merge(
        task$.pipe(
          tap((effect) => early?.push(effect)),
          ignoreElements(),
        ),
        from(loadServices()).pipe(
          mergeMap(({ services }) =>
            merge(
              services(heard$, loaded, served),
              perform(() => (early = undefined)),
            ),
          ),
          isolate('Exception in the services of the engine', served.deps.report),
        ),
      );
    }),
  );

/** The messages among the effects. */
const toldMessages = (effect$: Observable<Effect>): Observable<EngineMessage> =>
  effect$.pipe(
    filter((effect) => effect.type === 'tell'),
    map(({ message }) => message),
  );

/**
 * Keeps the page's events for the next page. Each event is added to the cache at once; a save takes all that were added
 * while the save before it ran. A failure is reported once there was no other for `reportQuietMs`.
 */
const keepEvents = (effect$: Observable<Effect>, cache: EventsCache, report: Report): Observable<never> =>
  effect$.pipe(
    filter((effect) => effect.type === 'evaluated'),
    filter(({ event }) => isCached(event.name)),
    tap(({ event }) => cache.add(event)),
    exhaustLatest(() => cache.save()),
    debounce(() => timer(reportQuietMs)),
    tap((cause) => report(`Events cache failed to put ${thisPage}.`, cause)),
    ignoreElements(),
  );

/**
 * Saves the state once no event was told and nothing that is stored has changed for `saveQuietMs`, at the latest
 * `saveAtLatestMs` after the first change, or at once when the page may be going away. exhaustLatest: a change during a
 * save leads to another save after it.
 */
const saveEngineState = (effect$: Observable<Effect>, runner: EngineRunner): Observable<EngineMessage> =>
  merge(effect$.pipe(filter(({ type }) => ['evaluated', 'known'].includes(type))), runner.unsaved$).pipe(
    debounceUntil(saveQuietMs, effect$.pipe(filter(({ type }) => type === 'flushRequested')), saveAtLatestMs),
    exhaustLatest(() => runner.save()),
  );
