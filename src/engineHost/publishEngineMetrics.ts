import { filter, ignoreElements, interval, map, merge, type Observable, tap } from 'rxjs';

import type { Json } from '../model/json';
import { inSlices } from '../operators/creators/inSlices';
import { bytesOf, type CachedEvent } from './cachedEvent';
import { type Effect, type Loaded, tell } from './effects';
import type { Metrics } from './engineMetrics';
import type { ServicesDeps } from './servedEngine';

/** Time between two looks whether something was measured, in ms (spec C§9). */
const metricsCheckMs = 100;
/** Metrics in one message. After a burst of events there are thousands, too many for one task of the page. */
const maxTold = 500;

/**
 * Counts how long the steps of the engine took and how large the events cache is, and tells the page all metrics of the
 * host.
 */
export const publishEngineMetrics = (
  metrics: Metrics,
  { past }: Pick<Loaded, 'past'>,
  deps: ServicesDeps,
): Observable<Effect> => merge(publish(metrics), countSizes(metrics, past, deps), countTimings(metrics, deps));

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
