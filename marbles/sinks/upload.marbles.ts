import { from, mergeMap, NEVER, type Observable } from 'rxjs';
import type { QueuedEvent } from '../../src/model/appState';
import { NetworkError } from '../../src/model/networkError';
import type { HttpAnswer, HttpRequest } from '../../src/platform/platform';
import { json } from '../../src/model/plainJson';
import { upload, type UploadDeps } from '../../src/sinks/upload';
import { largeEvent, queuedOf } from '../../test/support/events';
import { settingsOf } from '../../test/support/settings';
import { marbles } from '../support/marbles';

const ids = ['a', 'b', 'c', 'd', 'e'] as const;
const events = Object.fromEntries(ids.map((id) => [id, queuedOf(id)]));
const kiB = 1024;
/** Three of 25 KiB and one of 30. */
const large = { a: largeEvent('a', 25 * kiB), b: largeEvent('b', 25 * kiB), c: largeEvent('c', 25 * kiB), d: largeEvent('d', 30 * kiB) };

/** Small letters: taken; capital ones: refused. */
const deliveries = Object.fromEntries(ids.flatMap((id) => [[id, { id }], [id.toUpperCase(), { id, error: 'Failed to track Pageview' }]]));

/** Answers: t taken, the others by their status. */
const answers: Readonly<Record<string, HttpAnswer>> = {
  t: { status: 200, body: '[]' },
  r: { status: 400, body: 'no' },
  s: { status: 503, body: 'later' },
  l: { status: 503, body: 'much later', retryAfterMs: 7000 },
  q: { status: 503, body: 'soon', retryAfterMs: 500 },
};
const failure = new NetworkError('failed');

type Send = (request: HttpRequest, sent: readonly string[]) => Observable<HttpAnswer>;

const world = (send: Send, given: Partial<UploadDeps> = {}) => {
  const requests: HttpRequest[] = [];
  const report = jest.fn();
  const beacon = jest.fn(() => true);
  const idsOf = ({ body }: HttpRequest): string[] => (JSON.parse(body ?? '[]') as { id: string }[]).map(({ id }) => id);
  const deps: UploadDeps = {
    http: {
      send: (request) => {
        requests.push(request);
        return send(request, idsOf(request));
      },
      beacon,
    },
    setting: settingsOf(),
    json,
    report,
    random: () => 0,
    online$: NEVER,
    ...given,
  };
  return { deps, report, beacon, requests, sent: () => requests.map((request) => idsOf(request).join('')) };
};

/** One answer after another; the last one for all that follow. */
const inTurn = (...each: readonly Observable<HttpAnswer>[]): Send => {
  let turn = 0;
  return () => each[Math.min(turn++, each.length - 1)]!;
};

describe('upload', () => {
  it('sends the events of 50 ms together', marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
    const event$ = hot('   a 19ms b 27ms c            ', events);
    const answer$ = cold(' 10ms (t|)                  ', answers);
    const subs = '         50ms ^ 9ms !               ';
    const expected = '     60ms (abc)                 ';
    const { deps, sent } = world(() => answer$);
    expectObservable(upload(event$, NEVER, deps)).toBe(expected, deliveries);
    expectSubscriptions(answer$.subscriptions).toBe(subs);
    flush();
    expect(sent()).toEqual(['abc']);
  }));

  it('has one request under way at a time; what comes meanwhile goes next', marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
    const event$ = hot('   a 99ms b 99ms c             ', events);
    const answer$ = cold(' 400ms (t|)                  ', answers);
    const subs = [
      '                    50ms  ^ 399ms !             ',
      '                    450ms ^ 399ms !             ',
    ];
    const expected = '     450ms a 399ms (bc)          ';
    const { deps, sent } = world(() => answer$);
    expectObservable(upload(event$, NEVER, deps)).toBe(expected, deliveries);
    expectSubscriptions(answer$.subscriptions).toBe(subs);
    flush();
    expect(sent()).toEqual(['a', 'bc']);
  }));

  it('cuts what waits into batches of 100', marbles(({ cold, expectSubscriptions, expectObservable, flush }) => {
    const many$ = from(Array.from({ length: 201 }, (_, i) => queuedOf(`e${i}`)));
    const answer$ = cold(' 10ms (t|)                   ', answers);
    const subs = [
      '                    50ms ^ 9ms !                ',
      '                    60ms ^ 9ms !                ',
      '                    70ms ^ 9ms !                ',
    ];
    const { deps, requests } = world(() => answer$);
    expectObservable(upload(cold('e').pipe(mergeMap(() => many$)), NEVER, deps).pipe(mergeMap(() => NEVER))).toBe('-');
    expectSubscriptions(answer$.subscriptions).toBe(subs);
    flush();
    expect(requests.map(({ body }) => (JSON.parse(body ?? '') as unknown[]).length)).toEqual([100, 100, 1]);
  }));

  it('sends events apart that are treated differently', marbles(({ hot, cold, expectObservable, flush }) => {
    const mixed = { a: queuedOf('a'), b: queuedOf('b', { requiresEnrichment: true }), c: queuedOf('c', { sdkProcessed: false }), d: queuedOf('d', { requiresEnrichment: false, sdkProcessed: true }) };
    const event$ = hot('   (abcd)', mixed);
    const expected = '     50ms (ad) 6ms b 9ms c';
    const { deps, requests, sent } = world(inTurn(cold('(t|)', answers), cold('10ms (t|)', answers)));
    expectObservable(upload(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['ad', 'b', 'c']);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?enrich=false&sdkp=true&k=key', '?enrich=true&sdkp=true&k=key', '?enrich=false&sdkp=false&k=key']);
  }));

  it('sends an event once that is given twice', marbles(({ hot, cold, expectObservable, flush }) => {
    // Twice while it waits, once more while it is under way.
    const event$ = hot('   aa 68ms a                   ', events);
    const expected = '     150ms a                     ';
    const { deps, sent } = world(() => cold('100ms (t|)', answers));
    expectObservable(upload(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['a']);
  }));

  it('sends nothing without events', marbles(({ hot, expectObservable, flush }) => {
    const { deps, sent } = world(() => NEVER);
    expectObservable(upload(hot('-'), hot('-f-f'), deps)).toBe('-');
    flush();
    expect(sent()).toEqual([]);
  }));

  it('lets the request go when unsubscribed', marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
    const event$ = hot('   a                            ', events);
    const answer$ = cold(' 400ms (t|)                   ', answers);
    const unsub = '        ^ 99ms !                     ';
    const subs = '         50ms ^ 49ms !                ';
    const { deps } = world(() => answer$);
    expectObservable(upload(event$, NEVER, deps), unsub).toBe('-');
    expectSubscriptions(answer$.subscriptions).toBe(subs);
    expectSubscriptions(event$.subscriptions).toBe(unsub);
  }));

  it('passes an error of the events on', marbles(({ hot, expectObservable }) => {
    const { deps } = world(() => NEVER);
    expectObservable(upload(hot('a-#', events), NEVER, deps)).toBe('--#');
  }));
});

describe('upload, when a request fails', () => {
  it('repeats it with growing waits until it is answered', marbles(({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   a                            ', events);
    // 50 ms, then 1 s, 1.5 s and 2.25 s later.
    const expected = '     4800ms a                     ';
    const fail$ = cold<HttpAnswer>('#                   ', undefined, failure);
    const { deps, report, sent } = world(inTurn(fail$, fail$, fail$, cold('(t|)', answers)));
    expectObservable(upload(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['a', 'a', 'a', 'a']);
    expect(report.mock.calls).toEqual([1, 2, 3].map(() => ['Error sending events batch', failure]));
  }));

  it('spreads the repetitions of many browsers', marbles(({ hot, cold, expectObservable }) => {
    const event$ = hot('   a                            ', events);
    const expected = '     850ms a                      ';
    const { deps } = world(inTurn(cold('#', undefined, failure), cold('(t|)', answers)), { random: () => 1 });
    expectObservable(upload(event$, NEVER, deps)).toBe(expected, deliveries);
  }));

  it('counts an answer that does not come in 5000 ms as a failure', marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
    const event$ = hot('   a                            ', events);
    const silent$ = cold<HttpAnswer>('-                   ', answers);
    const silentSubs = '   50ms ^ 4999ms !              ';
    const expected = '     6050ms a                     ';
    const { deps } = world(inTurn(silent$, cold('(t|)', answers)));
    expectObservable(upload(event$, NEVER, deps)).toBe(expected, deliveries);
    expectSubscriptions(silent$.subscriptions).toBe(silentSubs);
  }));

  it('waits as long as the server asks, and never less than it would', marbles(({ hot, cold, expectObservable }) => {
    const event$ = hot('   a                            ', events);
    const long = '         7050ms a                     ';
    const short = '        1050ms a                     ';
    const taken$ = cold('  (t|)                         ', answers);
    expectObservable(upload(event$, NEVER, world(inTurn(cold('(l|)', answers), taken$)).deps)).toBe(long, deliveries);
    expectObservable(upload(event$, NEVER, world(inTurn(cold('(q|)', answers), taken$)).deps)).toBe(short, deliveries);
  }));

  it('repeats at once when the network comes back', marbles(({ hot, cold, expectObservable }) => {
    const event$ = hot('   a                            ', events);
    const online$ = hot('  - 299ms o                    ');
    const expected = '     300ms a                      ';
    const { deps } = world(inTurn(cold('#', undefined, failure), cold('(t|)', answers)), { online$ });
    expectObservable(upload(event$, NEVER, deps)).toBe(expected, deliveries);
  }));

  it('goes on counting after the network came back', marbles(({ hot, cold, expectObservable }) => {
    const event$ = hot('   a                            ', events);
    const online$ = hot('  - 299ms o                    ');
    // The second repetition waits 1.5 s.
    const expected = '     1800ms a                     ';
    const fail$ = cold<HttpAnswer>('#                   ', undefined, failure);
    const { deps } = world(inTurn(fail$, fail$, cold('(t|)', answers)), { online$ });
    expectObservable(upload(event$, NEVER, deps)).toBe(expected, deliveries);
  }));

  it('lets what comes meanwhile wait for the repetition', marbles(({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   a 99ms b                     ', events);
    const expected = '     1050ms (ab)                  ';
    const { deps, sent } = world(inTurn(cold('#', undefined, failure), cold('(t|)', answers)));
    expectObservable(upload(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['a', 'a', 'b']);
  }));

  it.each([401, 403, 404, 408, 429, 500, 502, 503])('repeats after status %i', (status) => {
    marbles(({ hot, cold, expectObservable }) => {
      const answer$ = cold<HttpAnswer>('(x|)', { x: { status, body: '' } });
      expectObservable(upload(hot('a', events), NEVER, world(inTurn(answer$, cold('(t|)', answers))).deps)).toBe('1050ms a', deliveries);
    })();
  });

  it.each(['not JSON', '{}', '[{}]', '[{"code":"200"}]'])('repeats after the answer %s', (body) => {
    marbles(({ hot, cold, expectObservable }) => {
      const answer$ = cold<HttpAnswer>('(x|)', { x: { status: 200, body } });
      expectObservable(upload(hot('a', events), NEVER, world(inTurn(answer$, cold('(t|)', answers))).deps)).toBe('1050ms a', deliveries);
    })();
  });

  it('stops repeating when unsubscribed', marbles(({ hot, cold, expectObservable, flush }) => {
    const unsub = '        ^ 1s !                       ';
    const { deps, sent } = world(() => cold('#', undefined, failure));
    expectObservable(upload(hot('a', events), NEVER, deps), unsub).toBe('-');
    flush();
    expect(sent()).toEqual(['a']);
  }));
});

describe('upload, when the server refuses', () => {
  it.each([400, 413, 422])('a request with status %i: a single event is lost', (status) => {
    marbles(({ hot, cold, expectObservable, flush }) => {
      const answer$ = cold<HttpAnswer>('(x|)', { x: { status, body: '' } });
      const { deps, sent } = world(() => answer$);
      expectObservable(upload(hot('a', events), NEVER, deps)).toBe('50ms A', deliveries);
      flush();
      expect(sent()).toEqual(['a']);
    })();
  });

  it('halves the batch until the event at fault is alone', marbles(({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   (abcd)                       ', events);
    // 50: abcd, 60: ab, 70: cd, 80: c, 90: d
    const expected = '     70ms (ab) 16ms C 9ms d       ';
    const { deps, sent } = world((_, batch) => cold(batch.includes('c') ? '10ms (r|)' : '10ms (t|)', answers));
    expectObservable(upload(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['abcd', 'ab', 'cd', 'c', 'd']);
  }));

  it('halves odd batches too, and loses each event at fault', marbles(({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   (abcde)                      ', events);
    const expected = '     50ms (AbcdE)                 ';
    const { deps, sent } = world((_, batch) => cold(batch.some((id) => id === 'a' || id === 'e') ? '(r|)' : '(t|)', answers));
    expectObservable(upload(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['abcde', 'abc', 'ab', 'a', 'b', 'c', 'de', 'd', 'e']);
  }));

  it('goes on with what came meanwhile', marbles(({ hot, cold, expectObservable }) => {
    const event$ = hot('   a 99ms b                     ', events);
    const expected = '     250ms A b                    ';
    const { deps } = world(inTurn(cold('200ms (r|)', answers), cold('-(t|)', answers)));
    expectObservable(upload(event$, NEVER, deps)).toBe(expected, deliveries);
  }));

  it.each([
    [200, 'a'],
    [302, 'A'],
    [400, 'A'],
    [429, 'A'],
    [500, 'A'],
  ])('one event with code %i: %s', (code, expected) => {
    marbles(({ hot, cold, expectObservable }) => {
      const answer$ = cold<HttpAnswer>('(x|)', { x: { status: 200, body: JSON.stringify([{ code, body: null }]) } });
      expectObservable(upload(hot('a', events), NEVER, world(() => answer$).deps)).toBe(`50ms ${expected}`, deliveries);
    })();
  });

  it('one event of many: it costs itself, and is reported', marbles(({ hot, cold, expectObservable, flush }) => {
    const results = [200, 500, 200].map((code) => ({ code, body: null }));
    const answer$ = cold<HttpAnswer>('(x|)', { x: { status: 200, body: JSON.stringify(results) } });
    const { deps, report } = world(() => answer$);
    expectObservable(upload(hot('(abc)', events), NEVER, deps)).toBe('50ms (aBc)', deliveries);
    flush();
    expect(report.mock.calls).toEqual([['Failed to track Pageview', new Error('Status code was 500')]]);
  }));

  it('nothing of what it has no result for', marbles(({ hot, cold, expectObservable }) => {
    const answer$ = cold<HttpAnswer>('(x|)', { x: { status: 200, body: '[{"code":200,"body":null}]' } });
    expectObservable(upload(hot('(abc)', events), NEVER, world(() => answer$).deps)).toBe('50ms (abc)', deliveries);
  }));
});

describe('upload, at flush', () => {
  it('sends what waits at once, so that it outlives the page', marbles(({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   a--b----------               ', events);
    const flush$ = hot('   ----------f---               ');
    const expected = '     ---------------(ab)          ';
    const { deps, requests, sent } = world(() => cold('-----(t|)', answers));
    expectObservable(upload(event$, flush$, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['ab']);
    expect(requests[0]).toMatchObject({ keepalive: true });
  }));

  it('sends what waits behind a request without waiting for it, and not what is in it', marbles(({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   a 99ms b                     ', events);
    const flush$ = hot('   - 199ms f                    ');
    const expected = '     300ms b 149ms a              ';
    const { deps, sent } = world(inTurn(cold('400ms (t|)', answers), cold('100ms (t|)', answers)));
    expectObservable(upload(event$, flush$, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['a', 'b']);
  }));

  it('sends an event once, however often it is flushed', marbles(({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   a                            ', events);
    const flush$ = hot('   -ff-f                        ');
    const expected = '     ----------a                  ';
    const { deps, sent } = world(() => cold('9ms (t|)', answers));
    expectObservable(upload(event$, flush$, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['a']);
  }));

  it('keeps within the 60 KiB that may be under way; the rest goes with the next flush or burst', marbles(({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   (abc)                        ', large);
    // The third must wait for the two others.
    const flush$ = hot('   ----------f-f- 19ms f        ');
    const expected = '     20ms (ab) 19ms c             ';
    const { deps, sent } = world(() => cold('10ms (t|)', answers));
    expectObservable(upload(event$, flush$, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['ab', 'c']);
  }));

  it('hands a request that is refused to the beacon, and leaves it to the next page', marbles(({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   a                            ', events);
    const flush$ = hot('   -f                           ');
    const { deps, beacon, requests, sent } = world(() => cold('#', undefined, failure));
    expectObservable(upload(event$, flush$, deps)).toBe('-');
    flush();
    expect(sent()).toEqual(['a']);
    expect(beacon.mock.calls).toEqual([[requests[0]?.url, requests[0]?.body]]);
  }));

  it('sends what the beacon refuses too with the next burst', marbles(({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   a                            ', events);
    const flush$ = hot('   -f                           ');
    const expected = '     50ms a                       ';
    const { deps, beacon, sent } = world(inTurn(cold('#', undefined, failure), cold('(t|)', answers)));
    beacon.mockReturnValue(false);
    expectObservable(upload(event$, flush$, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['a', 'a']);
  }));
});

describe('upload, to outlive the page', () => {
  const keepalives = (requests: readonly HttpRequest[]): unknown[] => requests.map(({ keepalive }) => keepalive);

  it('asks for it for small requests, and not for repetitions', marbles(({ hot, cold, expectObservable, flush }) => {
    const { deps, requests } = world(inTurn(cold('#', undefined, failure), cold('(t|)', answers)));
    expectObservable(upload(hot('a', events), NEVER, deps)).toBe('1050ms a', deliveries);
    flush();
    expect(keepalives(requests)).toEqual([true, false]);
  }));

  it('does not ask for it above 28 KiB', marbles(({ hot, cold, expectObservable, flush }) => {
    const { deps, requests } = world(() => cold('(t|)', answers));
    expectObservable(upload(hot<QueuedEvent>('a 99ms d', large), NEVER, deps)).toBe('50ms a 99ms d', deliveries);
    flush();
    expect(keepalives(requests)).toEqual([true, false]);
  }));
});
