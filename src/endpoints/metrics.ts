import * as t from 'io-ts';

import { Metric, MetricsContext } from '../model/metric';
import type { Endpoint } from './endpoint';
import { bodyOfType, readerOfType } from './ioTs';

/** Metrics of one flush, and what they have in common. */
export const MetricsRequest = t.strict({ context: MetricsContext, items: t.readonlyArray(Metric) }, 'MetricsRequest');
export type MetricsRequest = Readonly<t.TypeOf<typeof MetricsRequest>>;

/** POST /v2.0/internal/metrics, also by beacon; the answer is ignored (spec C§7). */
export const metrics: Endpoint<MetricsRequest, unknown> = {
  method: 'POST',
  version: 'apiVersion',
  path: 'internal/metrics',
  body: bodyOfType(MetricsRequest),
  responseType: 'text',
  answer: readerOfType(t.unknown),
};
