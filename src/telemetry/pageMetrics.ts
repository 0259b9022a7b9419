import type { Observable } from 'rxjs';

import type { PageContext } from '../model/pageContext';
import { longTask$, pageAge, vital$ } from '../platform/webVitals';
import type { Heard } from './heard';
import { publishMetrics, type PublishMetricsDeps } from './publishMetrics';
import { vitalMetrics } from './vitalMetrics';

/**
 * Sends the metrics and web vitals of a visit. The code is a chunk of its own, because only sampled visitors need it.
 */
export const pageMetrics = (
  heard$: Observable<Heard>,
  context: () => PageContext,
  deps: PublishMetricsDeps,
): Observable<never> => publishMetrics(heard$, vitalMetrics({ vital$, longTask$, pageAge }), context, deps);
