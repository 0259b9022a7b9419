import { auditTime, concatMap, connect, defer, EMPTY, filter, ignoreElements, merge, mergeMap, type Observable, take, tap } from 'rxjs';
import { call, type CallDeps } from '../endpoints/call';
import { urlOf } from '../endpoints/endpoint';
import { metrics, type MetricsRequest } from '../endpoints/metrics';
import { sdkVersion } from '../model/clientContext';
import { countedSession, type Measured, type Metric, osOf, requestMetrics } from '../model/metric';
import { readMisc, writeMisc } from '../model/miscChunk';
import type { PageContext, Signal } from '../model/signal';
import type { Page, TextStorage } from '../platform/platform';

/** What is measured is sent this often (spec C§9). */
const flushMs = 5000;
/** Records that may wait for their flush (spec C§9). */
const maxRecords = 10_000;

export interface MetricsDeps extends CallDeps {
  readonly local: TextStorage;
  readonly page: Pick<Page, 'hidden' | 'userAgent'>;
  /** The page is hidden or goes away. */
  readonly flush$: Observable<unknown>;
}

/**
 * Sends what a visit tells and measures: every 5 s while there is anything, and by beacon when the page is hidden or goes.
 * Errors when sending has failed: that is the end of it (spec C§4).
 */
export const publishMetrics = (heard$: Observable<Signal | Measured>, vital$: Observable<Metric>, context: () => PageContext, deps: MetricsDeps): Observable<never> =>
  defer(() => {
    let pending: Metric[] = [];
    let [events, cohorts] = [0, 0];

    const session = (added = {}) => {
      const counts = countedSession(readMisc('metricsSession', deps), context().session_id, added);
      writeMisc('metricsSession', counts, deps);
      return counts;
    };
    const metricsIn = (heard: Signal | Measured): readonly Metric[] => {
      switch (heard.type) {
        case 'metrics':
          return heard.metrics;
        case 'request':
          return requestMetrics(heard);
        case 'cohorts':
          cohorts = heard.cohorts.members.length;
          return [];
        case 'stage':
          if (heard.stage === 'initialised') session({ inits: 1 });
          return [];
        case 'event':
          events += 1;
          if (heard.event.name !== 'Pageview') return [];
          session({ views: 1 });
          return [{ name: 'sdk_pageview_cohort_count', value: cohorts, labels: {} }];
        default:
          return [];
      }
    };
    const request = (items: readonly Metric[]): MetricsRequest => {
      const { sessions, inits, views } = session();
      return {
        context: {
          continent: null,
          environment: deps.setting('environment'),
          events_count: events,
          os: osOf(deps.page.userAgent()),
          sample_rate: deps.setting('metricsSamplingPercentage') / 100,
          sdk_version: sdkVersion,
          segments_count: cohorts,
          session_count: sessions,
          session_init_count: inits,
          session_view_count: views,
          user_agent: context().client.user_agent,
        },
        items,
      };
    };
    /** What waits goes once, whoever asks first. */
    const flushed = (send: (body: MetricsRequest) => Observable<unknown>) => (): Observable<unknown> => {
      const items = pending;
      pending = [];
      return items.length === 0 ? EMPTY : send(request(items));
    };
    const post = flushed((body) => call(metrics, { body }, deps));
    const beacon = flushed((body) => {
      if (!deps.http.beacon(urlOf(metrics, {}, deps.setting), deps.json.stringify(body))) throw new Error('Beacon refused');
      return EMPTY;
    });

    return merge(heard$.pipe(mergeMap(metricsIn)), vital$).pipe(
      tap((metric) => {
        if (pending.length < maxRecords) pending.push(metric);
      }),
      connect((metric$) =>
        merge(
          metric$.pipe(auditTime(flushMs), concatMap(post)),
          // Listened to from the first metric on, which is after the events' own flush: those go first.
          metric$.pipe(take(1), mergeMap(() => deps.flush$), concatMap(beacon)),
          // What is measured of a hidden page, such as its vitals, goes at once.
          metric$.pipe(filter(() => deps.page.hidden()), concatMap(beacon)),
        ),
      ),
      ignoreElements(),
    );
  });
