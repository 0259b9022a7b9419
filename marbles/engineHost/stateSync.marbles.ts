import { asyncScheduler, defer, map, mergeMap, type Observable, of, tap, throwError, timer } from 'rxjs';

import { type Engine, init } from '../../src/engine/engine';
import { canon } from '../../src/engine/language/canonical';
import { checksumOf } from '../../src/engine/language/checksums';
import type { Definition } from '../../src/engine/language/language';
import { type SyncedVisit, syncState } from '../../src/engineHost/stateSync';
import { askError, statusError } from '../../test/support/askErrors';
import { eventOf, noon, visitorId } from '../../test/support/events';
import { contextOf } from '../../test/support/hostDeps';
import { linesOf, reportMock } from '../../test/support/reports';
import { marble, marbles } from '../support/marbles';

const query: Definition = { id: '1', q: { event: 'Pageview', is: { gte: 5 } } };
const checksum = checksumOf(canon(query));

/** What another device has counted, in an answer with that offset. */
const others = (count: number, offset: number): unknown => ({
  state: JSON.stringify({ v: 2, s: { other: { 1: [checksum, [count]] } } }),
  state_offset: offset,
});
const nothing = (offset: number): unknown => ({ state: '{}', state_offset: offset });

interface World {
  readonly answers?: readonly unknown[];
  readonly answerMs?: number;
  readonly visit?: Partial<SyncedVisit>;
  readonly delta?: Engine['delta'];
  /** Ms that pass with each source of an answer. */
  readonly sourceMs?: number;
}

/** A visit whose first exchange of the session has been, unless a test says otherwise. Each change is a page view. */
const world = ({ answers = [nothing(1)], answerMs = 3, visit = {}, delta, sourceMs = 0 }: World = {}) => {
  const live = init({
    event_source_id: 'source',
    now: noon,
    bundle: { v: 1, id: 'bundle', seed: 0, queries: [query] },
    state: null,
    context: contextOf(),
    lookups: {},
    pending: [],
  });
  live.bootstrap();
  live.replay([]);
  const engine: typeof live = { ...live, delta: delta ?? live.delta, stateMigratedThisInitialisation: false };
  const report = reportMock();
  /** Each exchange: when, whether it asks for the unseen, what it tells of the query, from which offset. */
  const asked: string[] = [];
  let worked = 0;
  const fetched: string[] = [];
  const deps = {
    report,
    // Read after each step.
    now: () => asyncScheduler.now() + (worked += sourceMs),
    yieldThread: () => timer(10),
    ask: (what: string, input: unknown) =>
      defer(() => {
        const { query: pairs, body } = input as {
          readonly query: readonly (readonly string[])[];
          readonly body: Readonly<Record<string, string>>;
        };
        const { q } = JSON.parse(body['state']!) as {
          readonly q: Readonly<Record<string, readonly [string, readonly unknown[]]>>;
        };
        expect([what, body['group_id'], body['event_source_id'], pairs[0]![0]]).toEqual([
          'stateSync',
          visitorId,
          'source',
          'fetch_unseen',
        ]);
        asked.push(
          `${asyncScheduler.now()} ${pairs[0]![1]!} ${q['1']?.[1].join() ?? 'nothing'} ${body['last_seen_offset']!}`,
        );
        const answer = answers[Math.min(asked.length, answers.length) - 1];
        return timer(answerMs).pipe(mergeMap(() => (answer instanceof Error ? throwError(() => answer) : of(answer))));
      }),
  };
  const visited: SyncedVisit = {
    groupId: visitorId,
    eventSourceId: () => 'source',
    session: () => 'session',
    lastSession: 'session',
    isNew: false,
    onFetched: (session) => fetched.push(session),
    ...visit,
  };
  const view = (): void => void live.process([{ ...eventOf(''), time: noon }], noon);
  const sync = (change$: Observable<string>) =>
    syncState(change$.pipe(tap((change) => change === 'v' && view())), engine, visited, deps).pipe(
      map(({ transitions }) => transitions.map(({ id }) => id).join('') || '.'),
    );
  return { sync, asked, fetched, report, members: live.members };
};

describe('stateSync', () => {
  marble(
    'tells what changed, once it has been quiet for 500 ms',
    ({ hot, expectObservable, expectSubscriptions, flush }) => {
      const change$ = hot('v 299ms v', { v: 'v' });
      const unsub = '      ^ 2s !';
      const expected = '   803ms .';
      const { sync, asked } = world();
      expectObservable(sync(change$), unsub).toBe(expected);
      expectSubscriptions(change$.subscriptions).toBe(unsub);
      flush();
      expect(asked).toEqual(['800 false 2 0']);
    },
  );

  marble('asks nothing where there is nothing to tell and nothing to fetch', ({ hot, expectObservable, flush }) => {
    const { sync, asked } = world();
    expectObservable(sync(hot('x', { x: 'x' })), '^ 2s !').toBe('-');
    flush();
    expect(asked).toEqual([]);
  });

  marble(
    'has one exchange under way; a change meanwhile waits for 500 ms of quiet after the answer',
    ({ hot, expectObservable, flush }) => {
      const change$ = hot('v 599ms v 99ms v', { v: 'v' });
      const { sync, asked } = world({ answerMs: 1000, answers: [nothing(1), nothing(2)] });
      expectObservable(sync(change$), '^ 5s !').toBe('1500ms . 1499ms .');
      flush();
      expect(asked).toEqual(['500 false 1 0', '2000 false 3 1']);
    },
  );

  marble('asks at its start in a new session, though there is nothing to tell', ({ hot, expectObservable, flush }) => {
    const { sync, asked, fetched } = world({ visit: { lastSession: 'before' } });
    expectObservable(sync(hot('x 1s x', { x: 'x' })), '^ 5s !').toBe('503ms .');
    flush();
    expect([asked, fetched]).toEqual([['500 true nothing 0'], ['session']]);
  });

  marble('asks again when another session begins on the page', ({ hot, expectObservable, flush }) => {
    const { sync, asked, fetched } = world({
      visit: { session: () => (asyncScheduler.now() < 1000 ? 'session' : 'next') },
    });
    expectObservable(sync(hot('x 1s x', { x: 'x' })), '^ 5s !').toBe('1504ms .');
    flush();
    expect([asked, fetched]).toEqual([['1501 true nothing 0'], ['next']]);
  });

  marble('tells and asks for everything where somebody is new, once', ({ hot, expectObservable, flush }) => {
    const { sync, asked } = world({ visit: { isNew: true } });
    expectObservable(sync(hot('v 1s v', { v: 'v' })), '^ 5s !').toBe('503ms . 1000ms .');
    flush();
    expect(asked).toEqual(['500 true 1 0', '1501 false 2 1']);
  });

  marble(
    'takes in what other devices have counted, once: late, doubled, with a lower count',
    ({ hot, expectObservable, flush }) => {
      const { sync, members, asked } = world({ answers: [others(4, 7), others(4, 7), others(2, 8)], answerMs: 2000 });
      expectObservable(sync(hot('v 4999ms v 4999ms v', { v: 'v' })), '^ 20s !').toBe('2500ms 1 4999ms . 4999ms .');
      flush();
      expect([asked, members()]).toEqual([['500 false 1 0', '5500 false 2 7', '10500 false 3 7'], ['1']]);
    },
  );

  marble('does not take its own counts from an answer', ({ hot, expectObservable, flush }) => {
    const own = { state: JSON.stringify({ v: 2, s: { source: { 1: [checksum, [5]] } } }), state_offset: 3 };
    const { sync, members } = world({ answers: [own] });
    expectObservable(sync(hot('v', { v: 'v' })), '^ 2s !').toBe('503ms .');
    flush();
    expect(members()).toEqual([]);
  });

  it.each([
    [
      'no answer',
      askError('failed', 'Network request failed'),
      'Error sending state delta. Got Network request failed',
    ],
    ['an error', statusError(500), 'Error sending state delta. Got Failed ajax request. Status code was 500. No'],
    [
      'no JSON',
      askError('unreadable', 'Failed to parse response as JSON. Response was <'),
      'Failed to parse State API response, got Failed to parse response as JSON. Response was <',
    ],
    [
      'no answer that makes sense',
      askError('unreadable', 'state: expected string'),
      'Failed to parse State API response, got state: expected string',
    ],
  ])('after %s tells and asks for everything again, at the next change', (_, failure, message) => {
    marbles(({ hot, expectObservable, flush }) => {
      const { sync, asked, report, fetched } = world({ answers: [nothing(4), failure, others(4, 9), nothing(9)] });
      const change$ = hot('v 999ms v 999ms v 999ms v', { v: 'v' });
      expectObservable(sync(change$), '^ 6s !').toBe('503ms . 1999ms 1 999ms .');
      flush();
      expect(asked).toEqual(['500 false 1 0', '1500 false 2 4', '2500 true 3 4', '3500 false 4 9']);
      expect([report.mock.calls.map(([text]) => text), fetched]).toEqual([[message], ['session']]);
    })();
  });

  marble(
    'takes a large answer in slices of 50 ms, and lets other work have its turn between them',
    ({ hot, expectObservable, flush }) => {
      const sources = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`other ${i}`, { 1: [checksum, [1]] }]));
      const answers = [{ state: JSON.stringify({ v: 2, s: sources }), state_offset: 7 }];
      const { sync, asked, members } = world({ answers, sourceMs: 20 });
      // Three sources a slice, and a last one that counts them: it ends three pauses after the answer.
      expectObservable(sync(hot('v 519ms v', { v: 'v' })), '^ 5s !').toBe('533ms 1 532ms .');
      flush();
      // The change that came meanwhile is told after the answer was taken.
      expect([asked, members()]).toEqual([['500 false 1 0', '1033 false 2 7'], ['1']]);
    },
  );

  marble('keeps its offset, and sends again, after a state that cannot be read', ({ hot, expectObservable, flush }) => {
    const { sync, asked, report } = world({ answers: [{ state: '{"v":2', state_offset: 9 }, nothing(5)] });
    expectObservable(sync(hot('v 999ms v', { v: 'v' })), '^ 4s !').toBe('503ms . 999ms .');
    flush();
    expect(asked).toEqual(['500 false 1 0', '1500 true 2 0']);
    expect(linesOf(report)).toEqual([expect.stringMatching(/^Failed to parse State API response, got \S/)]);
  });

  marble('reports what it cannot compute, and then sends everything', ({ hot, expectObservable, flush }) => {
    const asking: boolean[] = [];
    const delta: Engine['delta'] = (full) => {
      asking.push(full);
      if (full) return null;
      throw new Error('Failed to compute delta for state sync.');
    };
    const { sync, asked, report } = world({ delta });
    expectObservable(sync(hot('v 999ms v', { v: 'v' })), '^ 4s !').toBe('1503ms .');
    flush();
    expect([asking, asked, linesOf(report)]).toEqual([
      [false, true],
      ['1500 true nothing 0'],
      ['Failed to compute delta for state sync.: '],
    ]);
  });
});
