import { asyncScheduler, NEVER, type Observable } from 'rxjs';

import type { MetricsRequest } from '../../src/endpoints/metrics';
import { fakePlatform } from '../../src/fakePlatform/fakePlatform';
import { json } from '../../src/hardening/plainJson';
import { sdkVersion } from '../../src/model/clientContext';
import { NetworkError } from '../../src/model/errors';
import type { Measured, Metric } from '../../src/model/metric';
import type { HttpAnswer, HttpRequest } from '../../src/platform/platform';
import type { Heard } from '../../src/telemetry/heard';
import { publishMetrics } from '../../src/telemetry/publishMetrics';
import { eventOf } from '../../test/support/events';
import { settingsOf } from '../../test/support/settings';
import { marble } from '../support/marbles';

const metric = (name: string): Metric => ({ name, value: 1, labels: {} });
const measured = (name: string): Measured => ({ type: 'metrics', metrics: [metric(name)] });
/**
 * Letters of the alphabet: metrics. p: a page view, l: a link click, c: two cohorts, k: three of the
 * last page, i: initialised, r: realtime, w: a watson
 * request, m: a request that carries metrics.
 */
const heard: Readonly<Record<string, Heard>> = {
  a: measured('a'),
  b: measured('b'),
  d: measured('d'),
  p: { type: 'event', event: eventOf('1') },
  l: { type: 'event', event: eventOf('2', { name: 'LinkClick' }) },
  c: { type: 'cohorts', cohorts: { members: ['1', '2'], activations: {}, isRealtime: true } },
  k: { type: 'cohorts', cohorts: { members: ['1', '2', '3'], activations: {}, isRealtime: false } },
  i: { type: 'stage', stage: 'initialised' },
  r: { type: 'stage', stage: 'realtime' },
  w: { type: 'request', method: 'POST', url: 'https://api.permutive.com/v2.0/watson?k=key', status: '200', ms: 250 },
  m: {
    type: 'request',
    method: 'POST',
    url: 'https://api.permutive.com/v2.0/internal/metrics?k=key',
    status: '200',
    ms: 1,
  },
};
const answers: Readonly<Record<string, HttpAnswer>> = { o: { status: 200, body: '' }, x: { status: 500, body: '' } };

interface World {
  readonly flush$?: Observable<unknown>;
  readonly hidden?: () => boolean;
}

/** What was sent, how, and when: `post ab 5000`; `kept` for a request that outlives the page. */
const world = (answer$: Observable<HttpAnswer>, { flush$ = NEVER, hidden = () => false }: World = {}) => {
  const platform = fakePlatform({ page: { hidden } });
  const sent: string[] = [];
  const bodies: MetricsRequest[] = [];
  const note = (how: string, body = ''): void => {
    bodies.push(JSON.parse(body) as MetricsRequest);
    sent.push(
      `${how} ${bodies
        .at(-1)!
        .items.map(({ name }) => name)
        .join('')} ${asyncScheduler.now()}`,
    );
  };
  const http = {
    send: ({ body, keepalive, credentials }: HttpRequest) => {
      expect(credentials).toBe(false);
      note(keepalive === true ? 'kept' : 'post', body);
      return answer$;
    },
    beacon: () => {
      throw new Error('A beacon has the cookies of the site');
    },
  };
  const client = {
    type: 'web',
    user_agent: `Linux PermutiveWebSDK/${sdkVersion}`,
    url: '',
    domain: '',
    title: '',
    referrer: '',
    path: '/',
    view_id: 'view',
  };
  const context = () => ({ user_id: 'user', session_id: 'session', view_id: 'view', client });
  const deps = {
    ...platform,
    page: { ...platform.page, userAgent: () => 'Linux' },
    http,
    json,
    setting: settingsOf(),
    flush$,
  };
  return {
    sent,
    bodies,
    platform,
    publish: (heard$: Observable<Heard>, vital$: Observable<Metric> = NEVER) =>
      publishMetrics(heard$, vital$, context, deps),
  };
};

describe('publishMetrics', () => {
  marble('sends what there is every 5 s', ({ hot, cold, flush, expectObservable }) => {
    const { sent, publish } = world(cold('--(o|)', answers));
    expectObservable(publish(hot('a 4s b 4s d', heard))).toBe('-');
    flush();
    expect(sent).toEqual(['post ab 5000', 'post d 13002']);
  });

  marble('sends nothing where there is nothing', ({ hot, cold, flush, expectObservable }) => {
    const { sent, publish } = world(cold('(o|)', answers), { flush$: hot('1s f') });
    expectObservable(publish(hot('m', heard))).toBe('-');
    flush();
    expect(sent).toEqual([]);
  });

  marble(
    'sends by a request that outlives the page, without cookies, when the page is hidden, and then no more of it',
    ({ hot, cold, flush, expectObservable }) => {
      const { sent, publish } = world(cold('(o|)', answers), { flush$: hot('1s ff') });
      expectObservable(publish(hot('ab', heard))).toBe('-');
      flush();
      expect(sent).toEqual(['kept ab 1000']);
    },
  );

  marble('sends at once what is measured of a hidden page', ({ hot, cold, flush, expectObservable }) => {
    const { sent, publish } = world(cold('(o|)', answers), {
      flush$: hot('1s f'),
      hidden: () => asyncScheduler.now() >= 1000,
    });
    expectObservable(publish(hot('a', heard), hot('1001ms v', { v: metric('v') }))).toBe('-');
    flush();
    expect(sent).toEqual(['kept a 1000', 'kept v 1001']);
  });

  marble('ends at the first failure', ({ hot, cold, flush, expectObservable }) => {
    const { sent, publish } = world(cold('--(x|)', answers));
    expectObservable(publish(hot('a 9s b', heard))).toBe(
      '5002ms #',
      undefined,
      expect.objectContaining({ name: 'StatusError' }),
    );
    flush();
    expect(sent).toEqual(['post a 5000']);
  });

  marble('ends at a failure while the page is hidden', ({ hot, cold, flush, expectObservable }) => {
    const { sent, publish } = world(cold('#', answers, new NetworkError('failed')), { flush$: hot('1s f') });
    expectObservable(publish(hot('a 9s b', heard))).toBe('1s #', undefined, new NetworkError('failed'));
    flush();
    expect(sent).toEqual(['kept a 1000']);
  });

  marble(
    'sends what is measured last though the answer before is still awaited',
    ({ hot, cold, flush, expectObservable }) => {
      const { sent, publish } = world(cold('2s (o|)', answers), {
        flush$: hot('1s f'),
        hidden: () => asyncScheduler.now() >= 1000,
      });
      expectObservable(publish(hot('a', heard), hot('1001ms v', { v: metric('v') }))).toBe('-');
      flush();
      expect(sent).toEqual(['kept a 1000', 'kept v 1001']);
    },
  );

  marble('drops what waits when it is stopped', ({ hot, cold, flush, expectObservable }) => {
    const { sent, publish } = world(cold('(o|)', answers));
    expectObservable(publish(hot('a', heard)), '^ 4998ms !').toBe('-');
    flush();
    expect(sent).toEqual([]);
  });

  marble('says of whom: events, cohorts, and how often they came', ({ hot, cold, flush, expectObservable }) => {
    const { bodies, platform, publish } = world(cold('(o|)', answers));
    platform.local.write(
      'permutive-data-misc',
      '{"identities":{"default":1},"metricsSession":{"id":"older","sessions":3,"inits":4,"views":5}}',
    );
    expectObservable(publish(hot('kipcrlpw', heard))).toBe('-');
    flush();
    expect(bodies).toEqual([
      {
        context: {
          continent: null,
          environment: 'production',
          events_count: 3,
          os: 'Linux',
          sample_rate: 0.2,
          sdk_version: sdkVersion,
          segments_count: 2,
          session_count: 4,
          session_init_count: 1,
          session_view_count: 2,
          user_agent: `Linux PermutiveWebSDK/${sdkVersion}`,
        },
        items: [
          { name: 'sdk_realtime_segment_count', value: 2, labels: {} },
          { name: 'sdk_pageview_cohort_count', value: 2, labels: {} },
          { name: 'sdk_pageview_cohort_count', value: 2, labels: {} },
          {
            name: 'sdk_http_request_count_total',
            value: 1,
            labels: { method: 'POST', path: '/v2.0/watson', status: '200' },
          },
          { name: 'sdk_http_watson_seconds', value: 0.25, labels: { status: '200' } },
        ],
      },
    ]);
    expect(JSON.parse(platform.local.all()['permutive-data-misc']!)).toEqual({
      identities: { default: 1 },
      metricsSession: { id: 'session', sessions: 4, inits: 1, views: 2 },
    });
  });

  marble('keeps 10,000 records at most', ({ hot, cold, flush, expectObservable }) => {
    const { bodies, publish } = world(cold('(o|)', answers));
    const many: Measured = { type: 'metrics', metrics: Array.from({ length: 10_001 }, () => metric('a')) };
    expectObservable(publish(hot('n', { n: many }))).toBe('-');
    flush();
    expect(bodies[0]?.items).toHaveLength(10_000);
  });
});
