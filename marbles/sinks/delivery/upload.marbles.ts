import {
  asyncScheduler,
  EMPTY,
  filter,
  from,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  of,
  Subject,
  tap,
} from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';

import { takenAnswer } from '../../../src/fakePlatform/fakeHttp';
import { memoryJournal } from '../../../src/fakePlatform/memoryJournal';
import { json } from '../../../src/hardening/plainJson';
import type { Delivery } from '../../../src/model/delivery';
import { NetworkError } from '../../../src/model/errors';
import type { QueuedEvent } from '../../../src/model/queuedEvent';
import type { HttpAnswer, HttpRequest } from '../../../src/platform/platform';
import { type DeliveryInput, newDelivery } from '../../../src/sinks/delivery/deliveryState';
import type { Pause } from '../../../src/sinks/delivery/pause';
import { refusalStep } from '../../../src/sinks/delivery/refusalStep';
import { attempts, runDelivery, type RunDeliveryDeps } from '../../../src/sinks/delivery/runDelivery';
import { onlySent, uploadItemOf } from '../../../src/sinks/delivery/uploadItem';
import { largeEvent, noon, queuedOf } from '../../../test/support/events';
import { settingsOf } from '../../../test/support/settings';
import { marble, marbles } from '../../support/marbles';

const ids = ['a', 'b', 'c', 'd', 'e'] as const;
const events = Object.fromEntries(ids.map((id) => [id, queuedOf(id)]));
const kiB = 1024;
/** Three of 25 KiB and one of 30. */
const large = {
  a: largeEvent('a', 25 * kiB),
  b: largeEvent('b', 25 * kiB),
  c: largeEvent('c', 25 * kiB),
  d: largeEvent('d', 30 * kiB),
};

/** Small letters: taken; capital ones: refused. */
const deliveries = Object.fromEntries(
  ids.flatMap((id) => [
    [id, { id }],
    [id.toUpperCase(), { id, error: 'Failed to track Pageview' }],
  ]),
);

/** Answers: t taken, the others by their status. */
const taken: HttpAnswer = { status: 200, body: 'taken' };
const answers: Readonly<Record<string, HttpAnswer>> = {
  t: taken,
  r: { status: 400, body: 'no' },
  s: { status: 503, body: 'later' },
  l: { status: 503, body: 'much later', retryAfterMs: 7000 },
  q: { status: 503, body: 'soon', retryAfterMs: 500 },
};
const failure = new NetworkError('failed');

type Send = (request: HttpRequest, sent: readonly string[]) => Observable<HttpAnswer>;

const world = (send: Send, given: Partial<RunDeliveryDeps> = {}) => {
  const requests: HttpRequest[] = [];
  const report = jest.fn();
  const beacon = jest.fn(() => true);
  const idsOf = ({ body }: HttpRequest): string[] => (JSON.parse(body ?? '[]') as { id: string }[]).map(({ id }) => id);
  const deps: RunDeliveryDeps = {
    http: {
      send: (request) => {
        requests.push(request);
        return send(request, idsOf(request)).pipe(map((answer) => (answer === taken ? takenAnswer(request) : answer)));
      },
      beacon,
    },
    setting: settingsOf(),
    json,
    report,
    random: () => 0,
    now: () => noon + asyncScheduler.now(),
    online$: NEVER,
    journal: memoryJournal(),
    attempt: attempts(report),
    loadJudge$: of(refusalStep),
    ...given,
  };
  return { deps, report, beacon, requests, sent: () => requests.map((request) => idsOf(request).join('')) };
};

interface Leave {
  readonly isUnloading: boolean;
}

/** The end of an event's delivery, or a change of the pause. */
type Outcome = Delivery | { readonly pause: Pause | null };
const isDelivery = (outcome: Outcome): outcome is Delivery => 'id' in outcome;

/** What becomes of the events. */
const outcomes = (
  event$: Observable<QueuedEvent>,
  flush$: Observable<Leave>,
  deps: RunDeliveryDeps,
  stored: Pause | null = null,
): Observable<Outcome> => {
  const accepted$ = event$.pipe(
    map((event): DeliveryInput => {
      return { type: 'accepted', items: [uploadItemOf(event, json, onlySent)], isUrgent: false, isUnloading: false };
    }),
  );
  const exit$ = flush$.pipe(map(({ isUnloading }): DeliveryInput => ({ type: 'exit', isUnloading })));
  const input$ = merge(accepted$, exit$);
  return runDelivery(input$, newDelivery('page', stored), deps).pipe(
    mergeMap(({ before, state: { pause }, commands }): readonly Outcome[] => [
      ...(pause === before.pause ? [] : [{ pause }]),
      ...commands.flatMap((each) => (each.type === 'settle' ? [each.delivery] : [])),
    ]),
  );
};
/** What is told of events. At a flush the page is hidden (f), or isUnloading (g). */
const uploading = (
  event$: Observable<QueuedEvent>,
  flush$: Observable<string>,
  deps: RunDeliveryDeps,
  stored: Pause | null = null,
): Observable<Delivery> =>
  outcomes(event$, flush$.pipe(map((letter) => ({ isUnloading: letter === 'g' }))), deps, stored).pipe(
    filter(isDelivery),
  );

/** One answer after another; the last one for all that follow. */
const inTurn = (...each: readonly Observable<HttpAnswer>[]): Send => {
  let turn = 0;
  return () => each[Math.min(turn++, each.length - 1)]!;
};

describe('upload', () => {
  marble('sends the events of 50 ms together', ({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
    const event$ = hot('   a 19ms b 27ms c            ', events);
    const answer$ = cold(' 10ms (t|)                  ', answers);
    const subs = '         50ms ^ 9ms !               ';
    const expected = '     60ms (abc)                 ';
    const { deps, sent } = world(() => answer$);
    expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
    expectSubscriptions(answer$.subscriptions).toBe(subs);
    flush();
    expect(sent()).toEqual(['abc']);
  });

  marble(
    'has one request under way at a time; what comes meanwhile goes next',
    ({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const event$ = hot('   a 99ms b 99ms c             ', events);
      const answer$ = cold(' 400ms (t|)                  ', answers);
      const subs = [
        '                    50ms  ^ 399ms !             ',
        '                    450ms ^ 399ms !             ',
      ];
      const expected = '     450ms a 399ms (bc)          ';
      const { deps, sent } = world(() => answer$);
      expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
      expectSubscriptions(answer$.subscriptions).toBe(subs);
      flush();
      expect(sent()).toEqual(['a', 'bc']);
    },
  );

  marble('cuts what waits into batches of 100', ({ cold, expectSubscriptions, expectObservable, flush }) => {
    const many$ = from(Array.from({ length: 201 }, (_, i) => queuedOf(`e${i}`)));
    const answer$ = cold(' 10ms (t|)                   ', answers);
    const subs = [
      '                    50ms ^ 9ms !                ',
      '                    60ms ^ 9ms !                ',
      '                    70ms ^ 9ms !                ',
    ];
    const { deps, requests } = world(() => answer$);
    expectObservable(uploading(cold('e').pipe(mergeMap(() => many$)), NEVER, deps).pipe(mergeMap(() => NEVER))).toBe(
      '-',
    );
    expectSubscriptions(answer$.subscriptions).toBe(subs);
    flush();
    expect(requests.map(({ body }) => (JSON.parse(body ?? '') as unknown[]).length)).toEqual([100, 100, 1]);
  });

  marble('sends events apart that are treated differently', ({ hot, cold, expectObservable, flush }) => {
    const mixed = {
      a: queuedOf('a'),
      b: queuedOf('b', { requiresEnrichment: true }),
      c: queuedOf('c', { sdkProcessed: false }),
      d: queuedOf('d', { requiresEnrichment: false, sdkProcessed: true }),
    };
    const event$ = hot('   (abcd)', mixed);
    const expected = '     50ms (ad) 6ms b 9ms c';
    const { deps, requests, sent } = world(inTurn(cold('(t|)', answers), cold('10ms (t|)', answers)));
    expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['ad', 'b', 'c']);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?enrich=false&sdkp=true&k=key',
      '?enrich=true&sdkp=true&k=key',
      '?enrich=false&sdkp=false&k=key',
    ]);
  });

  marble('sends an event once that is given twice', ({ hot, cold, expectObservable, flush }) => {
    // Twice while it waits, once more while it is under way.
    const event$ = hot('   aa 68ms a                   ', events);
    const expected = '     150ms a                     ';
    const { deps, sent } = world(() => cold('100ms (t|)', answers));
    expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['a']);
  });

  marble('sends nothing without events', ({ hot, expectObservable, flush }) => {
    const { deps, sent } = world(() => NEVER);
    expectObservable(uploading(hot('-'), hot('-f-f'), deps)).toBe('-');
    flush();
    expect(sent()).toEqual([]);
  });

  marble('lets the request go when unsubscribed', ({ hot, cold, expectObservable, expectSubscriptions }) => {
    const event$ = hot('   a                            ', events);
    const answer$ = cold(' 400ms (t|)                   ', answers);
    const unsub = '        ^ 99ms !                     ';
    const subs = '         50ms ^ 49ms !                ';
    const { deps } = world(() => answer$);
    expectObservable(uploading(event$, NEVER, deps), unsub).toBe('-');
    expectSubscriptions(answer$.subscriptions).toBe(subs);
    expectSubscriptions(event$.subscriptions).toBe(unsub);
  });

  marble('passes an error of the events on', ({ hot, expectObservable }) => {
    const { deps } = world(() => NEVER);
    expectObservable(uploading(hot('a-#', events), NEVER, deps)).toBe('--#');
  });
});

describe('upload, when a request fails', () => {
  marble('repeats it with growing waits until it is answered', ({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   a                            ', events);
    // 50 ms, then 1 s, 2.5 s and 5 s later.
    const expected = '     8550ms a                     ';
    const fail$ = cold<HttpAnswer>('#                   ', undefined, failure);
    const { deps, report, sent } = world(inTurn(fail$, fail$, fail$, cold('(t|)', answers)));
    expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['a', 'a', 'a', 'a']);
    expect(report.mock.calls).toEqual([1, 2, 3].map(() => ['Error sending events batch', failure]));
  });

  marble('spreads the repetitions of many browsers', ({ hot, cold, expectObservable }) => {
    const event$ = hot('   a                            ', events);
    const expected = '     850ms a                      ';
    const { deps } = world(inTurn(cold('#', undefined, failure), cold('(t|)', answers)), { random: () => 1 });
    expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
  });

  marble(
    'counts an answer that does not come in 5000 ms as a failure',
    ({ hot, cold, expectObservable, expectSubscriptions }) => {
      const event$ = hot('   a                            ', events);
      const silent$ = cold<HttpAnswer>('-                   ', answers);
      const silentSubs = '   50ms ^ 4999ms !              ';
      const expected = '     6050ms a                     ';
      const { deps } = world(inTurn(silent$, cold('(t|)', answers)));
      expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
      expectSubscriptions(silent$.subscriptions).toBe(silentSubs);
    },
  );

  marble('waits as long as the server asks, and never less than it would', ({ hot, cold, expectObservable }) => {
    const event$ = hot('   a                            ', events);
    const long = '         7050ms a                     ';
    const short = '        1050ms a                     ';
    const taken$ = cold('  (t|)                         ', answers);
    expectObservable(uploading(event$, NEVER, world(inTurn(cold('(l|)', answers), taken$)).deps)).toBe(
      long,
      deliveries,
    );
    expectObservable(uploading(event$, NEVER, world(inTurn(cold('(q|)', answers), taken$)).deps)).toBe(
      short,
      deliveries,
    );
  });

  marble('repeats at once when the network comes back', ({ hot, cold, expectObservable }) => {
    const event$ = hot('   a                            ', events);
    const online$ = hot('  - 299ms o                    ');
    const expected = '     300ms a                      ';
    const { deps } = world(inTurn(cold('#', undefined, failure), cold('(t|)', answers)), { online$ });
    expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
  });

  marble('counts anew after the network came back', ({ hot, cold, expectObservable }) => {
    const event$ = hot('   a                            ', events);
    const online$ = hot('  - 299ms o                    ');
    const expected = '     1300ms a                     ';
    const fail$ = cold<HttpAnswer>('#                   ', undefined, failure);
    const { deps } = world(inTurn(fail$, fail$, cold('(t|)', answers)), { online$ });
    expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
  });

  marble('lets what comes meanwhile wait for the repetition', ({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   a 99ms b                     ', events);
    const expected = '     1050ms (ab)                  ';
    const { deps, sent } = world(inTurn(cold('#', undefined, failure), cold('(t|)', answers)));
    expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['a', 'ab']);
  });

  it.each([401, 403, 404, 408, 429, 500, 502, 503])('repeats after status %i', (status) => {
    marbles(({ hot, cold, expectObservable }) => {
      const answer$ = cold<HttpAnswer>('(x|)', { x: { status, body: '' } });
      expectObservable(uploading(hot('a', events), NEVER, world(inTurn(answer$, cold('(t|)', answers))).deps)).toBe(
        '1050ms a',
        deliveries,
      );
    })();
  });

  it.each(['not JSON', '{}', '[{}]', '[{"code":"200"}]'])('repeats after the answer %s', (body) => {
    marbles(({ hot, cold, expectObservable }) => {
      const answer$ = cold<HttpAnswer>('(x|)', { x: { status: 200, body } });
      expectObservable(uploading(hot('a', events), NEVER, world(inTurn(answer$, cold('(t|)', answers))).deps)).toBe(
        '1050ms a',
        deliveries,
      );
    })();
  });

  marble('stops repeating when unsubscribed', ({ hot, cold, expectObservable, flush }) => {
    const unsub = '        ^ 1s !                       ';
    const { deps, sent } = world(() => cold('#', undefined, failure));
    expectObservable(uploading(hot('a', events), NEVER, deps), unsub).toBe('-');
    flush();
    expect(sent()).toEqual(['a']);
  });
});

describe('upload, when the server refuses', () => {
  it.each([400, 413, 422])(
    'a request with status %i: a single event waits, for the server may be at fault',
    (status) => {
      marbles(({ hot, cold, expectObservable, flush }) => {
        const answer$ = cold<HttpAnswer>('(x|)', { x: { status, body: '' } });
        const { deps, sent } = world(inTurn(answer$, answer$, cold('(t|)', answers)));
        expectObservable(uploading(hot('a', events), NEVER, deps)).toBe('3550ms a', deliveries);
        flush();
        expect(sent()).toEqual(['a', 'a', 'a']);
      })();
    },
  );

  marble('one event over an hour, and takes no other: it is given up', ({ hot, cold, expectObservable, flush }) => {
    const { deps, sent } = world(() => cold('(r|)', answers));
    let lostAt = 0;
    const lost$ = uploading(hot('a', events), NEVER, deps).pipe(tap(() => (lostAt = asyncScheduler.now())));
    expectObservable(lost$.pipe(mergeMap(() => NEVER))).toBe('-');
    flush();
    expect(sent()).toHaveLength(75);
    expect(lostAt).toBeGreaterThan(3_600_000);
  });

  marble('everything for 3 s: nothing is lost, and few requests are made', ({ hot, cold, expectObservable, flush }) => {
    const many = Array.from({ length: 20 }, (_, i) => queuedOf(`e${i}`));
    const { deps, sent } = world(() => cold(asyncScheduler.now() < 3000 ? '(r|)' : '(t|)', answers));
    const ids: string[] = [];
    const delivered$ = uploading(hot('e').pipe(mergeMap(() => many)), NEVER, deps).pipe(
      tap(({ id, error }) => ids.push(`${id}${error ?? ''}`)),
    );
    expectObservable(delivered$.pipe(mergeMap(() => NEVER))).toBe('-');
    flush();
    expect([...ids].sort()).toEqual(many.map(({ id }) => id).sort());
    expect(sent().length).toBeLessThanOrEqual(12);
  });

  marble('halves the batch until the event at fault is alone', ({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   (abcd)                       ', events);
    // Requests by their time in ms: 50: abcd, 60: ab, 70: cd, 80: c, 90: d
    const expected = '     70ms (ab) 16ms C 9ms d       ';
    const { deps, sent } = world((_, batch) => cold(batch.includes('c') ? '10ms (r|)' : '10ms (t|)', answers));
    expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['abcd', 'ab', 'cd', 'c', 'd']);
  });

  marble(
    'halves odd batches too; each event that is given up needs another one that was taken',
    ({ hot, cold, expectObservable, flush }) => {
      const event$ = hot('   (abcde)                      ', events);
      // Event a was refused before any other event was taken, so a is tried again.
      const expected = '     50ms (bcdE)                  ';
      const unsub = '        ^ 500ms !                    ';
      const { deps, sent } = world((_, batch) =>
        cold(batch.some((id) => id === 'a' || id === 'e') ? '(r|)' : '(t|)', answers),
      );
      expectObservable(uploading(event$, NEVER, deps), unsub).toBe(expected, deliveries);
      flush();
      expect(sent()).toEqual(['abcde', 'abc', 'ab', 'a', 'b', 'c', 'de', 'd', 'e', 'a']);
    },
  );

  marble('gives an event up once the server has taken others', ({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   a 99ms b                     ', events);
    const expected = '     1250ms b 199ms A             ';
    const { deps, sent } = world((_, batch) =>
      cold(batch.length > 1 || !batch.includes('a') ? '(t|)' : '200ms (r|)', answers),
    );
    expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['a', 'b', 'a']);
  });

  it.each([
    [200, 'a'],
    [302, 'A'],
    [400, 'A'],
    [404, 'A'],
  ])('one event with code %i: %s', (code, expected) => {
    marbles(({ hot, cold, expectObservable }) => {
      const answer$ = cold<HttpAnswer>('(x|)', { x: { status: 200, body: JSON.stringify([{ code, body: null }]) } });
      expectObservable(uploading(hot('a', events), NEVER, world(() => answer$).deps)).toBe(
        `50ms ${expected}`,
        deliveries,
      );
    })();
  });

  marble('one event of many: it costs itself, and is reported', ({ hot, cold, expectObservable, flush }) => {
    const results = [200, 403, 200].map((code) => ({ code, body: null }));
    const answer$ = cold<HttpAnswer>('(x|)', { x: { status: 200, body: JSON.stringify(results) } });
    const { deps, report } = world(() => answer$);
    expectObservable(uploading(hot('(abc)', events), NEVER, deps)).toBe('50ms (aBc)', deliveries);
    flush();
    expect(report.mock.calls).toEqual([['Failed to track Pageview', new Error('Status code was 403')]]);
  });

  it.each([429, 500, 503])('no event for which alone the code is %i: it rests for five minutes', (code) => {
    marbles(({ hot, cold, expectObservable, flush }) => {
      const answerTo = (batch: readonly string[]): HttpAnswer => ({
        status: 200,
        body: JSON.stringify(batch.map((id) => ({ code: id === 'b' && asyncScheduler.now() < 200 ? code : 200 }))),
      });
      const event$ = hot('   (abc) 200s d 100s e            ', events);
      const expected = '     50ms (ac) 200001ms d 100000ms (eb)';
      const { deps, sent, report } = world((_, batch) => cold('(x|)', { x: answerTo(batch) }));
      expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
      flush();
      expect(sent()).toEqual(['abc', 'd', 'eb']);
      expect(report.mock.calls.map(([text]) => text as string)).toEqual(['Error sending events batch']);
    })();
  });

  marble('no event where all codes are 500: all are sent again', ({ hot, cold, expectObservable, flush }) => {
    const answerTo = (batch: readonly string[]): HttpAnswer => ({
      status: 200,
      body: JSON.stringify(batch.map(() => ({ code: asyncScheduler.now() < 3000 ? 500 : 200 }))),
    });
    const { deps, sent } = world((_, batch) => cold('(x|)', { x: answerTo(batch) }));
    expectObservable(uploading(hot('(ab)', events), NEVER, deps)).toBe('3550ms (ab)', deliveries);
    flush();
    expect(sent()).toEqual(['ab', 'ab', 'ab']);
  });

  marble('nothing of what it has no result for: that is sent again', ({ hot, cold, expectObservable, flush }) => {
    const answer$ = cold<HttpAnswer>('(x|)', { x: { status: 200, body: '[{"code":200,"body":null}]' } });
    const { deps, sent } = world(() => answer$);
    expectObservable(uploading(hot('(abc)', events), NEVER, deps)).toBe('50ms a 999ms b 999ms c', deliveries);
    flush();
    expect(sent()).toEqual(['abc', 'bc', 'c']);
  });

  marble('nothing by an empty list for 8 s, as a proxy may answer', ({ hot, cold, expectObservable }) => {
    const empty = { x: { status: 200, body: '[]' } };
    const { deps } = world(() => (asyncScheduler.now() < 8000 ? cold('(x|)', empty) : cold('(t|)', answers)));
    // The pauses take 1 s, 2.5 s and 5 s.
    expectObservable(uploading(hot('(abc)', events), NEVER, deps)).toBe('8550ms (abc)', deliveries);
  });
});

describe('upload, where the server refuses and the code that judges refusals', () => {
  // Refused at first, taken after the first pause of the back-off.
  const refusedOnce = (cold$: RunHelpers['cold']): Send => inTurn(cold$('(r|)', answers), cold$('(t|)', answers));

  marble(
    'cannot be loaded: nothing is lost, all waits for the next request',
    ({ hot, cold, expectObservable, flush }) => {
      const event$ = hot('   (ab)', events);
      const expected = '     50ms 1000ms (ab)';
      const { deps, sent } = world(refusedOnce(cold), { loadJudge$: EMPTY });
      expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
      flush();
      expect(sent()).toEqual(['ab', 'ab']);
    },
  );

  marble('does not come: that is waited for 5 s', ({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   (ab)', events);
    const expected = '     50ms 6000ms (ab)';
    const { deps, sent } = world(refusedOnce(cold), { loadJudge$: NEVER });
    expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['ab', 'ab']);
  });

  marble('is loaded once, at the first refusal', ({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
    const event$ = hot('   (ab)', events);
    const loadJudge$ = cold(' 300ms (l|)', { l: refusalStep });
    const expected = '     350ms (ab)';
    const { deps, sent } = world(refusedOnce(cold), { loadJudge$ });
    expectSubscriptions(loadJudge$.subscriptions).toBe('50ms ^ 299ms !');
    expectObservable(uploading(event$, NEVER, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['ab', 'a', 'b']);
  });
});

describe('upload, at flush', () => {
  marble('sends what waits at once, so that it outlives the page', ({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   a--b----------               ', events);
    const flush$ = hot('   ----------f---               ');
    const expected = '     ---------------(ab)          ';
    const { deps, requests, sent } = world(() => cold('-----(t|)', answers));
    expectObservable(uploading(event$, flush$, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['ab']);
    expect(requests[0]).toMatchObject({ keepalive: true });
  });

  marble(
    'sends what waits behind a request without waiting for it, and not what is in it',
    ({ hot, cold, expectObservable, flush }) => {
      const event$ = hot('   a 99ms b                     ', events);
      const flush$ = hot('   - 199ms f                    ');
      const expected = '     300ms b 149ms a              ';
      const { deps, sent } = world(inTurn(cold('400ms (t|)', answers), cold('100ms (t|)', answers)));
      expectObservable(uploading(event$, flush$, deps)).toBe(expected, deliveries);
      flush();
      expect(sent()).toEqual(['a', 'b']);
    },
  );

  marble('sends an event once, however often it is flushed', ({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   a                            ', events);
    const flush$ = hot('   -ff-f                        ');
    const expected = '     ----------a                  ';
    const { deps, sent } = world(() => cold('9ms (t|)', answers));
    expectObservable(uploading(event$, flush$, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['a']);
  });

  marble(
    'keeps within the 60 KiB that may be under way of a page that goes; the rest follows should it come back',
    ({ hot, cold, expectObservable, flush }) => {
      const event$ = hot('   (abc)                        ', large);
      // The third waits for one of the two others.
      const flush$ = hot('   ----------g-g---             ');
      const expected = '     20ms (ab) 6ms c              ';
      const { deps, sent } = world(() => cold('10ms (t|)', answers));
      expectObservable(uploading(event$, flush$, deps)).toBe(expected, deliveries);
      flush();
      expect(sent()).toEqual(['ab', 'c']);
    },
  );

  marble(
    'sends a repetition that would end with the page once more, however often the page goes',
    ({ hot, cold, expectObservable, flush }) => {
      const event$ = hot('a                   ', events);
      const flush$ = hot('- 1059ms g-g        ');
      const expected = '  - 1060ms 8ms -a     ';
      const fails$ = cold('#', answers, failure);
      const { deps, requests, sent } = world(inTurn(fails$, NEVER, cold('10ms (t|)', answers)));
      expectObservable(uploading(event$, flush$, deps), '^ 3s !').toBe(expected, deliveries);
      flush();
      expect(sent()).toEqual(['a', 'a', 'a']);
      expect(requests.map(({ keepalive }) => keepalive)).toEqual([true, false, true]);
    },
  );

  marble(
    'leaves a request to the browser that ends as the page goes, and repeats it should the page stay',
    ({ hot, cold, expectObservable, flush }) => {
      const event$ = hot('a      ', events);
      const goes$ = hot(' - 59ms g');
      const expected = '  - 1059ms a';
      // Browsers end the requests of a page just before they say that it goes; those with keepalive go on all the same.
      const ended$ = new Subject<HttpAnswer>();
      const flush$ = goes$.pipe(tap(() => ended$.error(failure)));
      const { deps, requests, sent } = world(inTurn(ended$, cold('(t|)', answers)));
      const sentAtExit$ = goes$.pipe(map(() => requests.length));
      expectObservable(uploading(event$, flush$, deps)).toBe(expected, deliveries);
      expectObservable(sentAtExit$).toBe('- 59ms 1', { 1: 1 });
      flush();
      expect(sent()).toEqual(['a', 'a']);
    },
  );

  marble(
    'hands a request that is refused to the beacon when the page goes, and repeats it should it come back',
    ({ hot, cold, expectObservable, flush }) => {
      const event$ = hot('   a                            ', events);
      const flush$ = hot('   -g                           ');
      const expected = '     - 1s a                       ';
      const { deps, beacon, requests, sent } = world(inTurn(cold('#', undefined, failure), cold('(t|)', answers)));
      expectObservable(uploading(event$, flush$, deps)).toBe(expected, deliveries);
      flush();
      expect(sent()).toEqual(['a', 'a']);
      expect(beacon.mock.calls).toEqual([[requests[0]?.url, requests[0]?.body]]);
    },
  );

  marble('does not ask the beacon of a page that is only hidden', ({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   a                            ', events);
    const flush$ = hot('   -f                           ');
    const expected = '     - 1s a                       ';
    const { deps, beacon, sent } = world(inTurn(cold('#', undefined, failure), cold('(t|)', answers)));
    expectObservable(uploading(event$, flush$, deps)).toBe(expected, deliveries);
    flush();
    expect(sent()).toEqual(['a', 'a']);
    expect(beacon).not.toHaveBeenCalled();
  });
});

describe('upload, to outlive the page', () => {
  const keepalives = (requests: readonly HttpRequest[]): unknown[] => requests.map(({ keepalive }) => keepalive);

  marble('asks for it for small requests, and not for repetitions', ({ hot, cold, expectObservable, flush }) => {
    const { deps, requests } = world(inTurn(cold('#', undefined, failure), cold('(t|)', answers)));
    expectObservable(uploading(hot('a', events), NEVER, deps)).toBe('1050ms a', deliveries);
    flush();
    expect(keepalives(requests)).toEqual([true, false]);
  });

  marble('does not ask for it above 28 KiB', ({ hot, cold, expectObservable, flush }) => {
    const { deps, requests } = world(() => cold('(t|)', answers));
    expectObservable(uploading(hot<QueuedEvent>('a 99ms d', large), NEVER, deps)).toBe('50ms a 99ms d', deliveries);
    flush();
    expect(keepalives(requests)).toEqual([true, false]);
  });
});

describe('upload, in a pause', () => {
  /** As the page before has left it, `ms` ago. */
  const left = (ms: number, changes: Partial<Pause> = {}): Pause => ({
    at: noon - ms,
    waitMs: 5000,
    attempts: 2,
    asked: false,
    ...changes,
  });
  const takenAtOnce = (cold: (marbles: string, values: typeof answers) => Observable<HttpAnswer>) =>
    inTurn(cold('(t|)', answers));

  marble('waits for the rest of the pause of the page before', ({ hot, cold, expectObservable }) => {
    const event$ = hot('   a                            ', events);
    const expected = '     3s a                         ';
    expectObservable(uploading(event$, NEVER, world(takenAtOnce(cold)).deps, left(2000))).toBe(expected, deliveries);
  });

  marble('goes on counting from the page before', ({ hot, cold, expectObservable }) => {
    const event$ = hot('   a                            ', events);
    // The third wait is 2.5 s.
    const expected = '     5500ms a                     ';
    const { deps } = world(inTurn(cold('(s|)', answers), cold('(t|)', answers)));
    expectObservable(uploading(event$, NEVER, deps, left(2000))).toBe(expected, deliveries);
  });

  it.each([
    ['is over', left(6000), '50ms a'],
    ['would be over in a day, for the clock was set back', left(-86_400_000), '5s a'],
    ['was over long ago, for the clock was set forward', left(86_400_000), '50ms a'],
  ])('of the page before that %s', (_, pause, expected) => {
    marbles(({ hot, cold, expectObservable }) => {
      expectObservable(uploading(hot('a', events), NEVER, world(takenAtOnce(cold)).deps, pause)).toBe(
        expected,
        deliveries,
      );
    })();
  });

  marble(
    'ends it when the network comes back, but not one that the server has asked for',
    ({ hot, cold, expectObservable }) => {
      const event$ = hot('   a                            ', events);
      const online$ = hot('  - 299ms o                    ');
      const own = '          300ms a                      ';
      const asked = '        3s a                         ';
      expectObservable(uploading(event$, NEVER, world(takenAtOnce(cold), { online$ }).deps, left(2000))).toBe(
        own,
        deliveries,
      );
      expectObservable(
        uploading(event$, NEVER, world(takenAtOnce(cold), { online$ }).deps, left(2000, { asked: true })),
      ).toBe(asked, deliveries);
    },
  );

  marble(
    'sends what waits when the page leaves, unless the server has asked it to wait',
    ({ hot, cold, expectObservable, flush }) => {
      const event$ = hot('   a                            ', events);
      const flush$ = hot('   - 99ms g                     ');
      const unsub = '        ^ 999ms !                    ';
      const own = '          100ms a                      ';
      const asked = '        -                            ';
      const [first, second] = [world(takenAtOnce(cold)), world(takenAtOnce(cold))];
      expectObservable(uploading(event$, flush$, first.deps, left(2000)), unsub).toBe(own, deliveries);
      expectObservable(uploading(event$, flush$, second.deps, left(2000, { asked: true })), unsub).toBe(
        asked,
        deliveries,
      );
      flush();
      expect([first.requests[0]?.keepalive, second.sent(), second.beacon.mock.calls]).toEqual([true, [], []]);
    },
  );

  marble(
    'sends a batch again that waits for its repetition when the page leaves',
    ({ hot, cold, expectObservable, flush }) => {
      const event$ = hot('   a                            ', events);
      const flush$ = hot('   - 499ms g                    ');
      const expected = '     500ms a                      ';
      const { deps, sent } = world(inTurn(cold('#', undefined, failure), cold('(t|)', answers)));
      expectObservable(uploading(event$, flush$, deps)).toBe(expected, deliveries);
      flush();
      expect(sent()).toEqual(['a', 'a']);
    },
  );

  marble(
    'sends again what is in a request that ends with the page, and tells it once',
    ({ hot, cold, expectObservable, flush }) => {
      const event$ = hot<QueuedEvent>('d                     ', large);
      const hidden$ = hot('  - 99ms f                     ');
      const unload$ = hot('    - 99ms g                     ');
      const once = '         550ms d                      ';
      const again = '        200ms d                      ';
      const answer$ = cold(' 500ms (t|)                   ', answers);
      const [first, second] = [world(() => answer$), world(inTurn(answer$, cold('100ms (t|)', answers)))];
      expectObservable(uploading(event$, hidden$, first.deps)).toBe(once, deliveries);
      expectObservable(uploading(event$, unload$, second.deps)).toBe(again, deliveries);
      flush();
      expect([first.sent(), second.sent()]).toEqual([['d'], ['d', 'd']]);
    },
  );

  marble('says since when, how long and why it waits, and when that is over', ({ hot, cold, expectObservable }) => {
    const event$ = hot('   a                            ', events);
    const expected = '     50ms p 999ms q 6999ms (na)   ';
    const { deps } = world(inTurn(cold('#', undefined, failure), cold('(l|)', answers), cold('(t|)', answers)));
    expectObservable(outcomes(event$, NEVER, deps)).toBe(expected, {
      p: { pause: { at: noon + 50, waitMs: 1000, attempts: 1, asked: false } },
      q: { pause: { at: noon + 1050, waitMs: 7000, attempts: 2, asked: true } },
      n: { pause: null },
      a: { id: 'a' },
    });
  });

  marble('makes 6 requests in 10 s at most, and 30 in 10 minutes', ({ hot, cold, expectObservable, flush }) => {
    const times: number[] = [];
    const { deps } = world(
      () => cold('(s|)', answers).pipe(tap({ subscribe: () => times.push(asyncScheduler.now()) })),
      { random: () => 1 },
    );
    expectObservable(uploading(hot('a', events), NEVER, deps), '^ 600s !').toBe('-');
    flush();
    expect(times.filter((ms) => ms <= 10_050)).toHaveLength(6);
    expect(times.length).toBeLessThanOrEqual(30);
    // In a short outage, no two requests are more than 3 s apart.
    expect(
      Math.max(...times.filter((ms) => ms <= 13_000).map((ms, i, all) => ms - (all[i - 1] ?? 0))),
    ).toBeLessThanOrEqual(3000);
  });

  it.each([0, 0.5, 1])(
    'repeats an event 5 times in a minute at most where no answer comes: random %d',
    marbles(({ hot, cold, expectObservable, flush }, random) => {
      const times: number[] = [];
      const fail$ = cold<HttpAnswer>('#', undefined, failure);
      const { deps } = world(() => fail$.pipe(tap({ subscribe: () => times.push(asyncScheduler.now()) })), {
        random: () => random,
      });
      expectObservable(uploading(hot('a', events), NEVER, deps), '^ 120s !').toBe('-');
      flush();
      expect(times.filter((ms) => ms <= 60_050)).toHaveLength(6);
    }),
  );

  marble('waits an hour at most, whatever the server asks for or the store says', ({ hot, cold, expectObservable }) => {
    const hour = '         3600050ms a                  ';
    const rest = '         3600s a                      ';
    const day$ = cold<HttpAnswer>('(x|)', { x: { status: 503, body: '', retryAfterMs: 999_999_000 } });
    expectObservable(uploading(hot('a', events), NEVER, world(inTurn(day$, cold('(t|)', answers))).deps)).toBe(
      hour,
      deliveries,
    );
    const forged = left(0, { waitMs: 1e12, asked: true });
    expectObservable(uploading(hot('a', events), NEVER, world(takenAtOnce(cold)).deps, forged)).toBe(rest, deliveries);
  });
});

describe('upload, when one event makes the server fail', () => {
  const many = (count: number) => [queuedOf('bad'), ...Array.from({ length: count }, (_, i) => queuedOf(`e${i}`))];
  const failing =
    (cold: (marbles: string, values: typeof answers) => Observable<HttpAnswer>): Send =>
    (_, batch) =>
      cold(batch.includes('bad') ? '(s|)' : '(t|)', answers);

  it.each([1, 19, 450])(
    'the %i others arrive within half a minute',
    marbles(({ hot, cold, expectObservable, flush }, count) => {
      const { deps, requests } = world(failing(cold));
      const arrived: string[] = [];
      let last = 0;
      const delivered$ = uploading(hot('e').pipe(mergeMap(() => many(count))), NEVER, deps).pipe(
        tap(({ id }) => {
          arrived.push(id);
          last = asyncScheduler.now();
        }),
      );
      expectObservable(delivered$.pipe(mergeMap(() => NEVER))).toBe('-');
      flush();
      expect(new Set(arrived)).toEqual(
        new Set(
          many(count)
            .slice(1)
            .map(({ id }) => id),
        ),
      );
      expect(last).toBeLessThanOrEqual(30_000);
      expect(requests.length).toBeLessThanOrEqual(30);
    }),
  );

  marble('it rests for five minutes, and then goes with what comes', ({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('   (ab) 299990ms c 40s d        ', events);
    const { deps, sent } = world((_, batch) =>
      cold(batch.includes('a') && asyncScheduler.now() < 300_000 ? '(s|)' : '(t|)', answers),
    );
    expectObservable(uploading(event$, NEVER, deps).pipe(mergeMap(() => NEVER))).toBe('-');
    flush();
    expect(sent()).toEqual([...Array.from({ length: 7 }, () => 'ab'), 'a', 'b', 'a', 'c', 'da']);
  });
});
