import { filter, ignoreElements, interval, map, merge, mergeMap, type Observable, tap, timer } from 'rxjs';

import type { Json } from '../hardening/json';
import { inSlices } from '../operators/creators/inSlices';
import { bytesOf, type CachedEvent } from './cachedEvent';
import { type Effect, type Loaded, tell } from './effects';
import type { Metrics } from './engineMetrics';
import type { ServicesDeps } from './servedEngine';

/** Time between two looks whether something was measured, in ms (spec C§9). */
const metricsCheckMs = 100;
/** Metrics in one message. After a burst of events there are thousands, too many for one task of the page. */
const maxTold = 500;
/** The ages of the cached events are measured so long after the engine is ready, in ms (spec S§9). */
const ageWaitMs = 30_000;
/** Events whose ages one step of that work takes together (spec S§9). */
const eventsAStep = 20;

/**
 * Counts how long the steps of the engine took and how large and how old the events cache is, and tells the page all
 * metrics of the host.
 */
export const publishEngineMetrics = (
  metrics: Metrics,
  { past }: Pick<Loaded, 'past'>,
  deps: ServicesDeps,
): Observable<Effect> =>
  merge(publish(metrics), countSizes(metrics, past, deps), countAges(metrics, past, deps), countTimings(metrics, deps));

/** Posts complete metrics every 100 ms, where there are any. */
const publish = (metrics: Metrics): Observable<Effect> =>
  interval(metricsCheckMs).pipe(
    map(() => metrics.take(maxTold)),
    filter((items) => items.length > 0),
    map((items) => tell({ type: 'metrics', items })),
  );

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
  let [oldest, sum] = [0, 0];
  for (const [i, { time }] of events.entries()) {
    const age = Math.max(0, now - Date.parse(time));
    oldest = Math.max(oldest, age);
    sum += age;
    if (i % eventsAStep === eventsAStep - 1) yield;
  }
  return { oldest, mean: sum / events.length };
}
