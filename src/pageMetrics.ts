import type { Observable } from 'rxjs';
import type { Measured } from './model/metric';
import type { PageContext, Signal } from './model/signal';
import { longTask$, pageAge, vital$ } from './platform/webVitals';
import { type MetricsDeps, publishMetrics } from './sinks/metrics';
import { vitalMetrics } from './streams/webVitals';

/** Metrics of a visit, with how the page feels to the visitor: a chunk of its own, for the few who are in the sample. */
export const pageMetrics = (heard$: Observable<Signal | Measured>, context: () => PageContext, deps: MetricsDeps): Observable<never> =>
  publishMetrics(heard$, vitalMetrics({ vital$, longTask$, pageAge }), context, deps);
