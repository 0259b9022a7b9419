import {
  distinctUntilChanged,
  filter,
  ignoreElements,
  interval,
  map,
  merge,
  mergeMap,
  type Observable,
  switchMap,
  takeWhile,
  tap,
  timer,
} from 'rxjs';

import type { Json } from '../hardening/json';
import { inSlices } from '../operators/creators/inSlices';
import { debounceWithMax } from '../operators/debounceWithMax';
import { timeOf } from '../primitives/isoDate';
import { bytesOf, type CachedEvent } from './cachedEvent';
import { type Effect, type Loaded, tell } from './effects';
import type { Metrics } from './engineMetrics';
import type { ServicesDeps } from './servedEngine';

/** Time between two looks whether something was measured, in ms (spec C§9). */
const metricsCheckMs = 100;
/** Metrics go to the page once no further ones have come for so long, in ms (spec S§9). */
const metricsQuietMs = 500;
/** Metrics go to the page at the latest so long after the first of them, in ms: the page sends them as often. */
const metricsAtLatestMs = 5000;
/** Metrics in one message. After a burst of events there are thousands, too many for one task of the page. */
const maxTold = 500;
/** The ages of the cached events are measured so long after the engine is ready, in ms (spec S§9). */
const ageWaitMs = 30_000;
/** Events whose ages one step of that work takes together (spec S§9). */
const eventsAStep = 20;

/**
 * Counts how long the steps of the engine took and how large and how old the events cache is, and tells the page all
 * metrics of the host. `task$`: the effects of the engine's tasks.
 */
export const publishEngineMetrics = (
  task$: Observable<Effect>,
  metrics: Metrics,
  { past }: Pick<Loaded, 'past'>,
  deps: ServicesDeps,
): Observable<Effect> =>
  merge(
    publish(task$, metrics),
    countSizes(metrics, past, deps),
    countAges(metrics, past, deps),
    countTimings(metrics, deps),
  );

/**
 * Tells the page complete metrics, many at a time, because each message is a task of the page. The page is told at once
 * where it may be going away.
 */
const publish = (task$: Observable<Effect>, metrics: Metrics): Observable<Effect> => {
  const flush$ = task$.pipe(filter(({ type }) => type === 'flushRequested'));
  const due$ = interval(metricsCheckMs).pipe(
    map(metrics.completed),
    distinctUntilChanged(),
    filter((completed) => completed > 0),
    debounceWithMax(metricsQuietMs, metricsAtLatestMs),
  );
  return merge(due$, flush$).pipe(
    // switchMap: what a stream has not told yet is taken by the next one.
    switchMap(() =>
      timer(0, metricsCheckMs).pipe(
        map(() => metrics.take(maxTold)),
        takeWhile((items) => items.length === maxTold, true),
      ),
    ),
    filter((items) => items.length > 0),
    map((items) => tell({ type: 'metrics', items })),
  );
};

/** Counts the engine's timings, in seconds, labelled by step. */
const countTimings = (metrics: Metrics, { timing$ }: ServicesDeps): Observable<never> =>
  timing$.pipe(
    tap(({ step, ms }) => metrics.count('sdk_engine_seconds', ms / 1000, { step })),
    ignoreElements(),
  );

/** Measures the events that the page has found, once, in slices. */
const countSizes = (metrics: Metrics, past: readonly CachedEvent[], deps: ServicesDeps): Observable<never> =>
  inSlices(() => sizeOf(past, deps.json), deps).pipe(
    tap((bytes) => {
      metrics.count('sdk_events_cache_size_total', past.length);
      metrics.count('sdk_events_cache_byte_total', bytes);
    }),
    ignoreElements(),
  );

/** Estimates the bytes of the events as they are stored. One event a step. */
function* sizeOf(events: readonly CachedEvent[], json: Json): Generator<unknown, number> {
  let bytes = 0;
  for (const event of events) {
    bytes += bytesOf(json.stringify(event));
    yield;
  }
  return bytes;
}

/** Measures once how old the events are that the page has found, in seconds. A visitor without events has no age. */
const countAges = (metrics: Metrics, past: readonly CachedEvent[], deps: ServicesDeps): Observable<never> =>
  timer(ageWaitMs).pipe(
    filter(() => past.length > 0),
    mergeMap(() => inSlices(() => agesOf(past, deps.now()), deps)),
    tap(({ oldest, mean }) => {
      metrics.count('sdk_events_cache_age_seconds', oldest / 1000, { of: 'oldest' });
      metrics.count('sdk_events_cache_age_seconds', mean / 1000, { of: 'mean' });
    }),
    ignoreElements(),
  );

/** The greatest age and the mean one, in ms. An event from a clock that was ahead has the age 0. */
function* agesOf(
  events: readonly CachedEvent[],
  now: number,
): Generator<unknown, { readonly oldest: number; readonly mean: number }> {
  let [oldest, sum, seen] = [0, 0, 0];
  for (const { time } of events) {
    const age = Math.max(0, now - timeOf(time));
    oldest = Math.max(oldest, age);
    sum += age;
    seen += 1;
    if (seen % eventsAStep === 0) yield;
  }
  return { oldest, mean: sum / events.length };
}
