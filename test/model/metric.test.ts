import { CLSThresholds, FCPThresholds, FIDThresholds, INPThresholds, LCPThresholds } from 'web-vitals';

import { requestMetrics } from '../../src/telemetry/requestMetrics';
import { countedSession } from '../../src/telemetry/sessionCounts';
import { osOf } from '../../src/telemetry/visitCounts';

const request = (url: string, status = '200', ms = 1500) =>
  requestMetrics({ type: 'request', method: 'GET', url, status, ms });
const id = 'b1cb1816-7d85-457c-9f32-2a1422d00e17';

describe('requestMetrics', () => {
  it.each([
    ['https://api.permutive.com/v2.0/identify?k=key', '/v2.0/identify'],
    ['https://host.example/proxy/v2.0/geoip?include=geo&k=key', '/proxy/v2.0/geoip'],
    [`https://api.permutive.com/audience-matching/v1/id/${id}?k=key`, '/audience-matching/v1/id/:id'],
    ['https://site.example/private/bob?token=1', 'other'],
    ['https://site.example/private/bob', 'other'],
  ])('counts %s by its path', (url, path) => {
    expect(request(url)).toEqual([
      { name: 'sdk_http_request_count_total', value: 1, labels: { method: 'GET', path, status: '200' } },
    ]);
  });

  it('measures the classification of the page', () => {
    expect(request('https://api.permutive.com/v2.0/watson?k=key', 'none')[1]).toEqual({
      name: 'sdk_http_watson_seconds',
      value: 1.5,
      labels: { status: 'none' },
    });
  });

  it('does not count requests that carry metrics', () => {
    expect(request('https://api.permutive.com/v2.0/internal/metrics?k=key')).toEqual([]);
  });

  it('measures nothing negative when the clock is set back', () => {
    expect(request('https://api.permutive.com/v2.0/watson?k=key', '200', -5)[1]).toMatchObject({ value: 0 });
  });
});

describe('osOf', () => {
  it.each([
    ['Mozilla/5.0 (Linux; Android 14; Pixel 8)', 'Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)', 'iOS'],
    ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)', 'ChromeOS'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'macOS'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'Linux'],
    ['', 'other'],
  ])('reads %s', (userAgent, os) => {
    expect(osOf(userAgent)).toBe(os);
  });
});

describe('countedSession', () => {
  it('counts on in the same session, and from zero in another', () => {
    const first = countedSession(undefined, 'a', { inits: 1 });
    expect(first).toEqual({ id: 'a', sessions: 1, inits: 1, views: 0 });
    expect(countedSession(countedSession(first, 'a', { views: 1 }), 'a', { inits: 1 })).toEqual({
      id: 'a',
      sessions: 1,
      inits: 2,
      views: 1,
    });
    expect(countedSession(first, 'b')).toEqual({ id: 'b', sessions: 2, inits: 0, views: 0 });
  });

  it.each([null, 7, {}, { id: 'a', sessions: '1', inits: 0, views: 0 }])(
    'begins again where %j is stored',
    (stored) => {
      expect(countedSession(stored, 'a')).toEqual({ id: 'a', sessions: 1, inits: 0, views: 0 });
    },
  );
});

test('vitals are rated by the thresholds of spec S§9', () => {
  expect({ FCPThresholds, LCPThresholds, CLSThresholds, INPThresholds, FIDThresholds }).toEqual({
    FCPThresholds: [1800, 3000],
    LCPThresholds: [2500, 4000],
    CLSThresholds: [0.1, 0.25],
    INPThresholds: [200, 500],
    FIDThresholds: [100, 300],
  });
});
