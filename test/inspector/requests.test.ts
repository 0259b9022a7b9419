import type { LogEntry } from '../../src/inspector/logEntry';
import { deliveryCounts, requestsIn } from '../../src/inspector/requests';

const entry = (id: number, more: Partial<LogEntry>): LogEntry => ({
  id,
  t: id * 100,
  lane: 'uploads',
  type: 'request',
  data: null,
  causes: [],
  ...more,
});
const url = 'https://api.example/v2.0/batch/events?enrich=false&k=secret';

describe('requestsIn', () => {
  it('puts each request and its answer together, the latest first, without the key of its address', () => {
    const log = [
      entry(1, { data: { method: 'POST', url, body: '[{},{}]' } }),
      entry(2, { data: { method: 'GET', url: 'https://api.example/geoip?k=secret' } }),
      entry(5, { type: 'POST /v2.0/batch/events', data: { value: { status: 503, body: '' } }, causes: [1] }),
    ];
    expect(requestsIn(log)).toEqual([
      { id: 2, t: 200, method: 'GET', url: 'https://api.example/geoip', events: null, status: null, tookMs: null },
      {
        id: 1,
        t: 100,
        method: 'POST',
        url: 'https://api.example/v2.0/batch/events',
        events: 2,
        status: 503,
        tookMs: 400,
      },
    ]);
  });

  it('takes a body that is no list, and entries of other lanes, for what they are', () => {
    const log = [entry(1, { data: { method: 'POST', url, body: '[broken' } }), entry(2, { lane: 'events' })];
    expect(requestsIn(log)).toMatchObject([{ id: 1, events: null }]);
  });
});

describe('deliveryCounts', () => {
  it('counts what was made, accepted and given up', () => {
    const log = [
      entry(1, { lane: 'events', type: 'Pageview' }),
      entry(2, { lane: 'events', type: 'Click' }),
      entry(3, { type: 'delivered', data: { id: 'a' } }),
      entry(4, { type: 'delivered', data: { id: 'b', error: 'Failed to track Click' } }),
    ];
    expect(deliveryCounts(log)).toEqual({ made: 2, accepted: 1, lost: 1 });
  });
});
