import { asyncScheduler, defer, map, mergeMap, NEVER, type Observable, of, throwError, timer } from 'rxjs';

import { init } from '../../src/engine/engine';
import { canon } from '../../src/engine/language/canonical';
import { checksumOf } from '../../src/engine/language/checksums';
import type { Definition } from '../../src/engine/language/language';
import { cloudLift, type LiftedEngine } from '../../src/engineHost/cloudLift';
import { maxDownloaded } from '../../src/engineHost/liftServer';
import type { Event } from '../../src/model/event';
import { askError, statusError } from '../../test/support/askErrors';
import { eventOf, noon } from '../../test/support/events';
import { contextOf } from '../../test/support/hostDeps';
import { linesOf, reportMock } from '../../test/support/reports';
import { marble, marbles } from '../support/marbles';

/** A query that the server counts for, as it is published: cohort of those who did it so often. */
const lifted = (id: string, times: number) => {
  const q = { event: 'Pageview', remote: true as const, is: { gte: times } };
  return { id, q, checksum: checksumOf(canon({ id, q })), times };
};
type Lifted = ReturnType<typeof lifted>;
const one = lifted('1', 2);
const two = lifted('2', 1);

type Answer = (names: readonly string[]) => unknown;
/** A server that counts one for each event; each request takes so long. */
const counts =
  (...queries: readonly Lifted[]): Answer =>
  (events) => ({
    result: {
      state: Object.fromEntries(
        queries.map(({ id, checksum, times }) => [id, [checksum, [Math.min(events.length, times)]]]),
      ),
    },
  });

interface World {
  readonly answers?: readonly (Answer | Error)[];
  readonly queries?: readonly Definition[];
  readonly download$?: Observable<unknown>;
  readonly answerMs?: number;
  readonly past?: readonly Event[];
  readonly unlifted?: readonly string[];
  /** What the last page stored. */
  /** How far the clock goes on with each look at it. */
  readonly msPerLook?: number;
  readonly stored?: readonly Lifted[];
}

const bundleOf = (queries: readonly Definition[]) => ({
  v: 1 as const,
  id: 'bundle',
  seed: 0,
  queries,
  lift: { events: ['Pageview'] },
});
const engineOf = (queries: readonly Definition[], state: unknown) => {
  const engine = init({
    event_source_id: 'source',
    now: noon,
    bundle: bundleOf(queries),
    state,
    context: contextOf(),
    lookups: {},
    pending: [],
  });
  engine.bootstrap();
  engine.replay([]);
  return engine;
};
const storedOf = (queries: readonly Lifted[]): unknown => {
  const engine = engineOf(queries, null);
  engine.appendLifted(Object.fromEntries(queries.map(({ id, checksum }) => [id, [checksum, [1]]])));
  return engine.snapshot();
};

const world = ({
  answers = [counts(one)],
  queries = [one],
  download$ = NEVER,
  answerMs = 3,
  past = [],
  unlifted = [],
  stored,
  msPerLook = 0,
}: World = {}) => {
  const report = reportMock();
  /** Each request: when, and the ids of its events or queries. */
  const asked: string[] = [];
  const waiting: string[] = [];
  let requests = 0;
  let [looks, yields] = [0, 0];
  let underWay = 0;
  const engine = engineOf(queries, stored === undefined ? null : storedOf(stored));
  const deps = {
    report,
    random: () => 0,
    now: () => asyncScheduler.now() + (looks += msPerLook),
    yieldThread: () => of((yields += 1)),
    ask: (what: string, input: unknown) =>
      defer(() => {
        const { query, body } = input as {
          readonly query: readonly (readonly [string, string])[];
          readonly body?: { readonly events: readonly Event[] };
        };
        if (what === 'liftQueries') {
          asked.push(`${asyncScheduler.now()} ? ${query.map((pair) => pair.join('=')).join('&')}`);
          return download$;
        }
        const ids = body!.events.map(({ id }) => id);
        underWay += 1;
        asked.push(
          `${asyncScheduler.now()} ${ids.length > 9 ? `${ids[0]!}…${ids.at(-1)!}` : ids.join('')}${underWay > 1 ? ' AT ONCE' : ''}`,
        );
        const answer = answers[Math.min(requests, answers.length - 1)]!;
        requests += 1;
        return timer(answerMs).pipe(
          mergeMap(() => {
            underWay -= 1;
            return answer instanceof Error ? throwError(() => answer) : of(answer(ids));
          }),
        );
      }),
  };
  const visitor: LiftedEngine = {
    engine,
    bundle: { id: 'bundle', events: ['Pageview'], ids: queries.map(({ id }) => id) },
    storedChecksums: new Map((stored ?? []).map(({ id, checksum }) => [id, checksum])),
    past,
    isUnlifted: ({ id }) => unlifted.includes(id),
    onWaiting: (events) => waiting.push(events.map(({ id }) => id).join('')),
  };
  const lift = (event$: Observable<Event>) =>
    cloudLift(event$, visitor, deps).pipe(map(({ transitions }) => transitions.map(({ id }) => id).join('') || '.'));
  return { lift, report, asked, waiting, engine, yields: () => yields };
};

const events = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [id, eventOf(id)]));
const letters = ['a', 'b', 'c', 'd'];
const many = Array.from({ length: 120 }, (_, i) => eventOf(`e${i}`));

describe('cloudLift', () => {
  marble(
    'appends what the server counted, once for each answer',
    ({ hot, expectObservable, expectSubscriptions, flush }) => {
      const event$ = hot('  a---b------', events);
      const unsub = '       ^----------!';
      const expected = '    ---.---1';
      const { lift, asked, engine } = world();
      expectObservable(lift(event$), unsub).toBe(expected);
      expectSubscriptions(event$.subscriptions).toBe(unsub);
      flush();
      expect([asked, engine.members()]).toEqual([['0 a', '4 b'], ['1']]);
    },
  );

  marble('leaves out events that no lifted query asks for', ({ hot, expectObservable, flush }) => {
    const { lift, asked } = world();
    expectObservable(lift(hot('a', { a: eventOf('a', { name: 'LinkClick' }) })), '^---!').toBe('-');
    flush();
    expect(asked).toEqual([]);
  });

  marble(
    'has one request under way; what comes meanwhile goes together, in order',
    ({ hot, expectObservable, flush }) => {
      const event$ = hot('  abc-d------', events);
      const expected = '    ---.--1--.';
      const { lift, asked } = world();
      expectObservable(lift(event$), '^----------!').toBe(expected);
      flush();
      expect(asked).toEqual(['0 a', '3 bc', '6 d']);
    },
  );

  marble('sends at most 50 events in a request', ({ hot, expectObservable, flush }) => {
    const { lift, asked } = world({ past: many, unlifted: many.map(({ id }) => id) });
    expectObservable(lift(hot('--------')), '^----------!').toBe('---1--.--.');
    flush();
    expect(asked).toEqual(['0 e0…e49', '3 e50…e99', '6 e100…e119']);
  });

  marble('hears what happens while the stored queries are downloaded', ({ hot, cold, expectObservable, flush }) => {
    const event$ = hot('  ab-----c---', events);
    const download$ = cold('-----(q|)', { q: { queries: [two] } });
    const expected = '    -----.--1--.';
    const { lift, asked } = world({ answers: [counts(one, two)], stored: [two], download$ });
    expectObservable(lift(event$), '^------------!').toBe(expected);
    flush();
    expect(asked).toEqual(['0 ? qid=bundle&target=javascript&ids=2', '5 ab', '8 c']);
  });

  marble(
    'downloads a query that the server counts for and the bundle does not have',
    ({ hot, cold, expectObservable, flush }) => {
      const event$ = hot('  a-------b', events);
      const download$ = cold('--(q|)', { q: { queries: [two] } });
      const expected = '    -----2-----1';
      const { lift, asked } = world({ answers: [counts(one, two)], download$ });
      expectObservable(lift(event$), '^------------!').toBe(expected);
      flush();
      expect(asked).toEqual(['0 a', '3 ? qid=bundle&target=javascript&ids=2', '8 b']);
    },
  );

  marble('adds what it downloads in slices of 50 ms', ({ hot, cold, expectObservable, flush }) => {
    const queries = Array.from({ length: 100 }, (_, i) => lifted(String(i + 2), 1));
    const { lift, engine, yields } = world({
      answers: [counts(...queries)],
      download$: cold('(q|)', { q: { queries: queries.map(({ id, q, checksum }) => ({ id, q, checksum })) } }),
      msPerLook: 1,
    });
    expectObservable(lift(hot('a', events)).pipe(map(() => 'x')), '^-----!').toBe('---x');
    flush();
    // A look at the clock at the beginning of each slice, and one after each definition.
    expect(yields()).toBe(2);
    expect(engine.members()).toHaveLength(100);
  });

  marble(
    'downloads at most 500 queries on a page, and takes no more than it has asked for',
    ({ hot, cold, expectObservable, flush }) => {
      const queries = Array.from({ length: maxDownloaded + 1 }, (_, i) => lifted(String(i + 2), 1));
      const event$ = hot('a-------b', events);
      const { lift, asked, engine } = world({
        answers: [counts(...queries)],
        download$: cold('(q|)', { q: { queries: queries.map(({ id, q, checksum }) => ({ id, q, checksum })) } }),
      });
      expectObservable(lift(event$).pipe(map(() => 'x')), '^------------!').toBe('---x-------x');
      flush();
      const ids = queries.slice(0, maxDownloaded).map(({ id }) => id);
      expect(asked).toEqual(['0 a', `3 ? qid=bundle&target=javascript&ids=${ids.join()}`, '8 b']);
      expect(engine.members()).toEqual(ids);
    },
  );

  marble('does not ask again for a query that does not exist', ({ hot, cold, expectObservable, flush }) => {
    const { lift, asked } = world({ answers: [counts(two)], download$: cold('(q|)', { q: { queries: [] } }) });
    expectObservable(lift(hot('a---b', events)), '^--------!').toBe('---.---.');
    flush();
    expect(asked).toEqual(['0 a', '3 ? qid=bundle&target=javascript&ids=2', '4 b']);
  });

  marble(
    'lifts the past again for a query whose meaning has changed, and for that one alone',
    ({ hot, cold, expectObservable, flush }) => {
      const changed = lifted('2', 3);
      const download$ = cold('-(q|)', { q: { queries: [changed] } });
      const { lift, asked, engine } = world({
        answers: [counts(one, changed)],
        stored: [two],
        download$,
        past: [events['a']!, eventOf('x', { name: 'LinkClick' }), events['b']!, events['c']!],
        unlifted: ['c'],
      });
      expectObservable(lift(hot('---------d', events)), '^-------------!').toBe('-.--.--2----1');
      flush();
      // What the server has not counted yet, it counts once and for all queries.
      expect(asked).toEqual(['0 ? qid=bundle&target=javascript&ids=2', '1 ab', '4 c', '9 d']);
      expect(engine.members()).toEqual(['1', '2']);
    },
  );

  marble('says which events wait, as the counts of the others are in', ({ hot, expectObservable, flush }) => {
    const { lift, waiting } = world({ past: [events['f']!, events['e']!], unlifted: ['f'] });
    expectObservable(lift(hot('ab', events)), '^------!').toBe('---.--1');
    flush();
    expect(waiting).toEqual(['f', 'fa', 'fab', 'ab', '']);
  });

  marble(
    'repeats a request that failed after 1 s, 2.5 s and so on, and counts its events once',
    ({ hot, expectObservable, flush }) => {
      const event$ = hot('  ab', events);
      const expected = '    3509ms . 2ms 1';
      const { lift, asked, report } = world({
        answers: [askError('failed', 'Network request failed'), statusError(500), counts(one)],
      });
      expectObservable(lift(event$), '^ 4s !').toBe(expected);
      flush();
      expect(asked).toEqual(['0 a', '1003 a', '3506 a', '3509 b']);
      expect(linesOf(report)).toEqual([
        'Failed to cloud lift event: Network request failed: Network request failed',
        'Failed to cloud lift event: Failed ajax request. Status code was 500. No: Failed ajax request. Status code was 500. No',
      ]);
    },
  );

  it.each([400, 413, 422])('halves what is refused with %d, and gives up the event at fault', (status) => {
    marbles(({ hot, expectObservable, flush }) => {
      const { lift, asked, engine, waiting } = world({
        answers: [statusError(status), counts(one), statusError(status), counts(one)],
        past: letters.map((id) => events[id]!),
        unlifted: letters,
      });
      // The server refuses abcd; ab is taken; cd is refused; c is taken, and d as well.
      expectObservable(lift(hot('-')), '^ 30ms !').toBe('------1-----.--.');
      flush();
      expect(asked).toEqual(['0 abcd', '3 ab', '6 cd', '9 c', '12 d']);
      expect([engine.members(), waiting]).toEqual([['1'], ['abcd', 'cd', 'd', '']]);
    })();
  });

  marble('gives up one that is refused alone', ({ hot, expectObservable, flush }) => {
    const { lift, asked, waiting } = world({ answers: [statusError(400), counts(one)] });
    expectObservable(lift(hot('a----b', events)), '^ 30ms !').toBe('---.----.');
    flush();
    expect([asked, waiting]).toEqual([
      ['0 a', '5 b'],
      ['', 'a', '', 'b', ''],
    ]);
  });

  marble('reports a download that failed, and appends what it knows', ({ hot, cold, expectObservable, flush }) => {
    const download$ = cold<unknown>('#', {}, askError('other', 'no'));
    const { lift, asked, report } = world({ answers: [counts(one, two)], stored: [two], download$ });
    expectObservable(lift(hot('a---b', events)), '^ 20ms !').toBe('.--.---1');
    flush();
    // The query may be there another time.
    expect(asked).toEqual([
      '0 ? qid=bundle&target=javascript&ids=2',
      '0 a',
      '3 ? qid=bundle&target=javascript&ids=2',
      '4 b',
      '7 ? qid=bundle&target=javascript&ids=2',
    ]);
    expect(linesOf(report)).toEqual(Array(3).fill('Failed to download queries from cloud lift: no: no'));
  });

  marble(
    'reports an entry of an answer that cannot be read, and takes the others',
    ({ hot, expectObservable, flush }) => {
      const { lift, report } = world({
        queries: [one, two],
        answers: [() => ({ result: { state: { 1: ['x'], 2: [two.checksum, [1]] } } })],
      });
      expectObservable(lift(hot('a', events)), '^-----!').toBe('---2');
      flush();
      expect(linesOf(report)).toEqual(['Failed to append lifted event to internal state: ']);
    },
  );

  marble('reports an answer that cannot be read', ({ hot, expectObservable, flush }) => {
    const { lift, report } = world({ answers: [() => ({ result: { state: [] } })] });
    expectObservable(lift(hot('a', events)), '^-----!').toBe('---.');
    flush();
    expect(linesOf(report)).toEqual(['Failed to append lifted state: ']);
  });

  marble('stops with its subscriber', ({ hot, expectObservable, flush }) => {
    const { lift, asked } = world();
    expectObservable(lift(hot('ab', events)), '^-!').toBe('-');
    flush();
    expect(asked).toEqual(['0 a']);
  });
});
