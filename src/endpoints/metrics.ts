import * as t from 'io-ts';
import { Metric } from '../model/metric';
import type { Endpoint } from './endpoint';

/** What all items of a report have in common (spec C§3). */
const MetricsContext = t.strict(
  {
    continent: t.union([t.string, t.null]),
    environment: t.string,
    events_count: t.number,
    os: t.string,
    sample_rate: t.number,
    sdk_version: t.string,
    segments_count: t.number,
    session_count: t.number,
    session_init_count: t.number,
    session_view_count: t.number,
    user_agent: t.string,
  },
  'MetricsContext',
);
export type MetricsContext = Readonly<t.TypeOf<typeof MetricsContext>>;

export const MetricsRequest = t.strict({ context: MetricsContext, items: t.readonlyArray(Metric) }, 'MetricsRequest');
export type MetricsRequest = Readonly<t.TypeOf<typeof MetricsRequest>>;

/** POST /v2.0/internal/metrics, also by beacon; the answer is ignored (spec C§7). */
export const metrics: Endpoint<MetricsRequest, unknown> = {
  method: 'POST',
  version: 'apiVersion',
  path: 'internal/metrics',
  body: MetricsRequest,
  responseType: 'text',
  answer: t.unknown,
};
