import { Anything, list, object, readerOf, shape, type TypeOf } from '../codecs/codecs';
import { Metric } from '../model/metric';
import { bodyOf, type Endpoint } from './endpoint';
import { MetricsContext } from './metricsContext';

/** Metrics of one flush, and the fields that all of them share. */
export const MetricsRequest = object('MetricsRequest', shape({ context: MetricsContext, items: list(Metric) }));
export type MetricsRequest = TypeOf<typeof MetricsRequest>;

/** POST /v2.0/internal/metrics; the answer is ignored (spec C§7). */
export const metrics: Endpoint<MetricsRequest, unknown> = {
  method: 'POST',
  path: '/{apiVersion}/internal/metrics',
  body: bodyOf(MetricsRequest),
  responseType: 'text',
  answer: readerOf(Anything),
};
