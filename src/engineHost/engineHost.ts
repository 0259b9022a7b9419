import {
  concatMap,
  connect,
  debounceTime,
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
import type { Effect } from './effects';
import { type EngineRunner, engineRunner } from './engineRunner';
import { type EventsCache, eventsCache } from './eventsCache';
import type { ServedEngine, ServicesDeps } from './servedEngine';
import { timingStream } from './timing';

/** The host's clocks (spec C§9, S§9). */
const saveQuietMs = 5000;
const reportQuietMs = 5000;
const tickMs = 1000;

type Services = typeof import('./services');

export interface EngineHostDeps extends Omit<ServicesDeps, 'store' | 'cache' | 'onTiming' | 'timing$'> {
  /** `leftBehind`: local storage holds events or state that belong into this store. */
  readonly store: (workspaceId: string, leftBehind: boolean) => EventStore;
  /**
   * State sync, cloud lift, models, validation. They are loaded once the engine runs, because the first cohorts do not
   * need them. The promise must resolve before the next message is processed, so that the services miss no effect.
   */
  readonly loadServices: () => Promise<Pick<Services, 'services'>>;
}

/**
 * The engine's home: keeps the visitor's events and query state, evaluates, and tells the page what came of it.
 * It is the same in a worker and on the page. It lives until unsubscribed; a failure of one message costs that message.
 */
export const engineHost = (message$: Observable<EngineCommand>, deps: EngineHostDeps): Observable<EngineMessage> =>
  message$.pipe(
    filter((message) => message.type === 'start'),
    // exhaustMap: a host serves one visit. Another visit opens another host.
    exhaustMap((start) => hostVisit(start, message$, deps)),
  );

const hostVisit = (
  start: Start,
  message$: Observable<EngineCommand>,
  deps: EngineHostDeps,
): Observable<EngineMessage> =>
  defer(() => {
    const store = deps.store(start.workspaceId, start.leftBehind);
    const cache = eventsCache({ ...deps, store, limitBytes: start.cacheLimitBytes, ttlDays: start.cacheTtlDays });
    const visitDeps = { ...deps, store, cache, ...timingStream() };
    const runner = engineRunner(start, visitDeps);
    return merge(of('load' as const), message$, interval(tickMs).pipe(map(() => 'tick' as const))).pipe(
      // concatMap: tasks that come while the engine loads wait, and are processed in order.
      concatMap((task) => runner.run(task).pipe(isolate('Query Language: Exception during evaluation', deps.report))),
      connect((task$) => merge(task$, runServices(task$, { start, runner, deps: visitDeps }))),
      connect((effect$) =>
        merge(
          // First, so that the page has been told all that is known when it goes away.
          toldMessages(effect$),
          keepEvents(effect$, cache, deps.report),
          saveEngineState(effect$, runner),
        ),
      ),
    );
  });

/** The services' effects, from the moment the engine is ready. */
const runServices = (
  task$: Observable<Effect>,
  {
    deps,
    ...served
  }: Omit<ServedEngine, 'deps'> & {
    readonly deps: ServicesDeps & Pick<EngineHostDeps, 'loadServices'>;
  },
): Observable<Effect> =>
  task$.pipe(
    filter((effect) => effect.type === 'loaded'),
    take(1),
    mergeMap(({ loaded }) =>
      from(deps.loadServices()).pipe(
        mergeMap(({ services }) => services(task$, loaded, { ...served, deps })),
        isolate('Exception in the services of the engine', deps.report),
      ),
    ),
  );

const toldMessages = (effect$: Observable<Effect>): Observable<EngineMessage> =>
  effect$.pipe(
    filter((effect) => effect.type === 'tell'),
    map(({ message }) => message),
  );

/** Keeps the page's events for the next page. A failure is reported once it has been quiet. */
const keepEvents = (effect$: Observable<Effect>, cache: EventsCache, report: Report): Observable<never> =>
  effect$.pipe(
    filter((effect) => effect.type === 'evaluated'),
    filter(({ event }) => isCached(event.name)),
    tap(({ event }) => cache.add(event)),
    exhaustLatest(() => cache.save()),
    debounceTime(reportQuietMs),
    tap((cause) => report(`Events cache failed to put ${thisPage}.`, cause)),
    ignoreElements(),
  );

/** Saves the state once nothing has happened for a while, or when a flush is requested. */
const saveEngineState = (effect$: Observable<Effect>, runner: EngineRunner): Observable<EngineMessage> =>
  effect$.pipe(
    filter(({ type }) => type === 'evaluated' || type === 'stateChanged'),
    debounceUntil(saveQuietMs, effect$.pipe(filter(({ type }) => type === 'flushRequested'))),
    exhaustLatest(() => runner.save()),
  );
