import {
  auditTime,
  concatMap,
  connect,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  merge,
  mergeMap,
  type Observable,
  take,
  tap,
} from 'rxjs';

import { call, type CallDeps } from '../endpoints/call';
import { metrics, type MetricsRequest } from '../endpoints/metrics';
import type { Metric } from '../model/metric';
import type { PageContext } from '../model/pageContext';
import type { Page } from '../platform/platform';
import type { Heard } from './heard';
import { visitCounts, type VisitCountsDeps } from './visitCounts';

/** Metrics are sent this often (spec C§9). */
const flushMs = 5000;
/** Metrics that may wait for their flush; further ones are dropped (spec C§9). */
const maxRecords = 10_000;

export interface PublishMetricsDeps extends CallDeps, VisitCountsDeps {
  readonly page: Pick<Page, 'hidden' | 'userAgent'>;
  /** Emits when the page is hidden or unloads. */
  readonly flush$: Observable<unknown>;
}

/**
 * Sends the metrics of a visit, together with its counts: every 5 s while there are any, and by a request that outlives
 * the page when the page is hidden or unloads. Errors when a request fails; the caller then sends nothing more on this
 * page (spec C§4). Emits nothing.
 */
export const publishMetrics = (
  heard$: Observable<Heard>,
  vital$: Observable<Metric>,
  context: () => PageContext,
  deps: PublishMetricsDeps,
): Observable<never> =>
  defer(() => {
    const counts = visitCounts(context, deps);
    // All three ways of sending take from this list, so each metric is sent once.
    let pending: Metric[] = [];
    // Makes a sender that sends all pending metrics in one request, and does nothing where there are none.
    const flushWith = (send: (body: MetricsRequest) => Observable<unknown>) => (): Observable<unknown> => {
      const items = pending;
      pending = [];
      return items.length === 0 ? EMPTY : send({ context: counts.context(), items });
    };
    const post = flushWith((body) => call(metrics, { body }, deps));
    // Not a beacon of the browser: that has the site's cookies where the API is on the site's own host.
    const leave = flushWith((body) => call(metrics, { body }, deps, { keepalive: true }));

    return merge(heard$.pipe(mergeMap(counts.metricsIn)), vital$).pipe(
      tap((metric) => {
        if (pending.length < maxRecords) pending.push(metric);
      }),
      connect((metric$) =>
        merge(
          metric$.pipe(auditTime(flushMs), concatMap(post)),
          // Subscribed at the first metric and therefore later than the delivery of events, so that events are sent
          // first.
          metric$.pipe(
            take(1),
            mergeMap(() => deps.flush$),
            mergeMap(leave),
          ),
          // What is measured of a hidden page, such as its vitals, is sent at once.
          metric$.pipe(
            filter(() => deps.page.hidden()),
            mergeMap(leave),
          ),
        ),
      ),
      ignoreElements(),
    );
  });
