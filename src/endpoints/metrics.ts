import { Anything, list, object, readerOf, shape } from '../model/codecs';
import { type Metric, MetricCodec } from '../model/metric';
import { type MetricsContext, MetricsContextCodec } from '../model/metricsContext';
import { bodyOf, type Endpoint } from './endpoint';

/** Metrics of one flush, and the fields that all of them share. */
export interface MetricsRequest {
  readonly context: MetricsContext;
  readonly items: readonly Metric[];
}
export const MetricsRequestCodec = object<MetricsRequest>(
  'MetricsRequest',
  shape({ context: MetricsContextCodec, items: list(MetricCodec) }),
);

/** POST /v2.0/internal/metrics; the answer is ignored (spec C§7). */
export const metrics: Endpoint<MetricsRequest, unknown> = {
  method: 'POST',
  version: 'apiVersion',
  path: 'internal/metrics',
  body: bodyOf(MetricsRequestCodec),
  responseType: 'text',
  answer: readerOf(Anything),
};
