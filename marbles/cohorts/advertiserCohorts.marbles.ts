import { filter, map, type Observable, of, startWith } from 'rxjs';

import { advertiserCohorts } from '../../src/cohorts/advertiserCohorts';
import type { ServiceDeps } from '../../src/cohorts/service';
import type { Cohorts } from '../../src/model/cohorts';
import { readNote, writeNote } from '../../src/model/notes';
import type { ServiceOutput } from '../../src/model/serviceOutput';
import { pauseMs } from '../../src/primitives/duration';
import { eventOf, noon, visitorId } from '../../test/support/events';
import { marble, type MarbleHelpers, marbles } from '../support/marbles';
import { type ServiceFacts, serviceWorld } from '../support/serviceWorld';

const answered = {
  c: {
    cohorts: [
      { code: 'left', groups: [0] },
      { code: 'spent', groups: [0, 1] },
      { code: 'room', groups: [0, 2] },
    ],
    groups: { types: ['budget', 'pacing', 'clean_room'], counts: [3, 0, 1] },
  },
  ctx: { asked: 1 },
};
const cohortsOf = (isRealtime: boolean): Cohorts => ({
  members: ['7', '10000001', 'abc'],
  activations: {},
  isRealtime,
});
/** l: cohorts of the last page; r: of this page. */
const cohorts = { l: cohortsOf(false), r: cohortsOf(true) };
const events = { v: eventOf('a'), w: eventOf('b', { view_id: 'another' }), x: eventOf('c', { view_id: 'third' }) };

/** What one of the two producers gives, as text. */
const codesOf = (output$: Observable<ServiceOutput>, producer: 'advertiser' | 'cleanRoom'): Observable<string> =>
  output$.pipe(
    filter((output) => output.type === 'produced' && output.producer === producer),
    map((output) => (output.type === 'produced' ? output.cohorts.join(' ') : '')),
  );
/** n: nothing is given; a: what the answer gives. */
const given = { n: '', a: 'left' };

const visitOf = (helpers: MarbleHelpers, cohort: string, event: string, facts: Partial<ServiceFacts> = {}) => {
  const world = serviceWorld(helpers, { answers: { 'adv/v4/segment': answered }, ...facts });
  const streams = { ...world.streams, cohorts$: helpers.cold(cohort, cohorts), event$: helpers.hot(event, events) };
  return { ...world, streams, run: () => advertiserCohorts(of(null))(streams, world.deps) };
};
/** What the last page has stored for a user. */
const storedFor = (userId: unknown, answer: unknown) => (deps: ServiceDeps) =>
  writeNote('advertiser', [userId, answer], deps);

describe('advertiserCohorts', () => {
  marble(
    'asks once this page has evaluated its cohorts, and gives those whose groups all have a count left',
    (helpers) => {
      const { run, asked } = visitOf(helpers, 'l--r', '----');
      helpers.expectObservable(codesOf(run(), 'advertiser')).toBe('n-- 10ms a', given);
      helpers.flush();
      expect(asked.map(({ url, body }) => [new URL(url).pathname, JSON.parse(body ?? '') as unknown])).toEqual([
        ['/adv/v4/segment', { user_id: visitorId, ctx: null, custom_cohorts: [7], standard_cohorts: [10000001] }],
      ]);
    },
  );

  marble('waits for the standard cohorts', (helpers) => {
    const { streams, deps } = visitOf(helpers, 'r', '-');
    const output$ = advertiserCohorts(helpers.cold('5ms k'))(streams, deps);
    helpers.expectObservable(codesOf(output$, 'advertiser')).toBe('n 14ms a', given);
  });

  marble('keeps the cohorts of clean rooms apart', (helpers) => {
    const { run } = visitOf(helpers, 'r', '-');
    helpers.expectObservable(codesOf(run(), 'cleanRoom')).toBe('n 9ms a', { n: '', a: 'room' });
  });

  marble('says of each cohort why it is given or not', (helpers) => {
    const { run } = visitOf(helpers, 'r', '-');
    const reasons$ = run().pipe(
      filter((output) => output.type === 'produced'),
      map(({ reasons }) => reasons),
      filter((reasons) => Object.keys(reasons).length > 1),
    );
    helpers.expectObservable(reasons$).toBe('10ms w', {
      w: {
        left: 'Advertiser segmentation: all of its groups have a count left.',
        spent: 'Advertiser segmentation: nothing is left of pacing.',
      },
    });
  });

  marble('asks once for a view, and again for another, with what the server said last', (helpers) => {
    const { run, asked } = visitOf(helpers, 'r', '12ms v-w');
    helpers.expectObservable(codesOf(run(), 'advertiser')).toBe('n 9ms a 3ms 10ms a', given);
    helpers.flush();
    expect(asked.map(({ body }) => (JSON.parse(body ?? '') as { ctx: unknown }).ctx)).toEqual([null, { asked: 1 }]);
  });

  marble('has one request in flight, and asks for the latest of the views that came meanwhile', (helpers) => {
    const { run, asked } = visitOf(helpers, 'r', '-w-x');
    helpers.expectObservable(codesOf(run(), 'advertiser')).toBe('n 9ms a 9ms a', given);
    helpers.flush();
    expect(asked).toHaveLength(2);
  });

  marble('gives the last answer for the same user at once', (helpers) => {
    const { run, deps } = visitOf(helpers, 'l', '-');
    storedFor(visitorId, answered)(deps);
    helpers.expectObservable(codesOf(run(), 'advertiser')).toBe('a', given);
  });

  marble('gives nothing of another user', (helpers) => {
    const { run, deps } = visitOf(helpers, 'l', '-');
    storedFor('somebody', answered)(deps);
    helpers.expectObservable(codesOf(run(), 'advertiser')).toBe('n', given);
  });

  it.each([
    ['a text', 'x'],
    ['a list of three', [visitorId, answered, 1]],
    ['a user that is no text', [7, answered]],
    ['an answer that is no object', [visitorId, 'x']],
  ])(
    'reports and forgets stored state that is %s',
    marbles((helpers, _, stored) => {
      const { run, deps } = visitOf(helpers, 'l', '-');
      writeNote('advertiser', stored, deps);
      helpers.expectObservable(codesOf(run(), 'advertiser')).toBe('n', given);
      helpers.flush();
      expect(deps.report.mock.calls.map(([message]) => message)).toEqual(['Failed to decode stored advertiser state']);
      expect(readNote('advertiser', deps)).toBeNull();
    }),
  );

  it.each([
    ['fails', {}, /^Failed to fetch advertiser cohorts$/],
    [
      'has other counts than types',
      broken({ counts: [1] }),
      /^Failed to decode data from response: Non matching counts$/,
    ],
    [
      'names a group that is not there',
      broken({ types: ['a'], counts: [1] }),
      /^Failed to decode data from response: Non matching group types$/,
    ],
  ])(
    'keeps the last answer where a request %s, and asks nothing for ten minutes',
    marbles((helpers, _, answers: Readonly<Record<string, unknown>>, message) => {
      // The first request fails after 10 ms.
      const { run, deps, asked } = visitOf(helpers, 'r', `${10 + pauseMs - 1}ms wx`, { answers });
      storedFor(visitorId, answered)(deps);
      helpers.expectObservable(codesOf(run(), 'advertiser')).toBe('a', given);
      helpers.flush();
      const isAbout = expect.stringMatching(message) as string;
      expect(asked).toHaveLength(2);
      expect(deps.report.mock.calls.map(([text]) => text)).toEqual([
        isAbout,
        'Advertiser segmentation request blocked by rate limiting',
        isAbout,
      ]);
    }),
  );

  marble('asks nothing and gives nothing while the visitor objects to sharing', (helpers) => {
    const { streams, deps, asked } = visitOf(helpers, 'r', '-');
    storedFor(visitorId, answered)(deps);
    const sharing$ = helpers.cold('n--y----n', { n: false, y: true });
    helpers
      .expectObservable(codesOf(advertiserCohorts(of(null))({ ...streams, sharing$ }, deps), 'advertiser'))
      .toBe('n--a----n', given);
    helpers.flush();
    expect(asked).toHaveLength(1);
  });

  marble('takes away what another user was given, and asks anew once that user’s cohorts are known', (helpers) => {
    const { streams, deps, asked } = visitOf(helpers, 'r', '-');
    const other = { ...cohortsOf(true), members: ['8'] };
    const cohorts$ = helpers.hot('30ms s', { s: other }).pipe(startWith(cohorts.r));
    const adopted$ = helpers.hot('20ms u', { u: 'another user' });
    const output$ = advertiserCohorts(of(null))({ ...streams, cohorts$, adopted$ }, deps);
    helpers.expectObservable(codesOf(output$, 'advertiser')).toBe('n 9ms a 9ms n 19ms a', given);
    helpers.flush();
    expect(asked.map(({ body }) => JSON.parse(body ?? '') as unknown)).toMatchObject([
      { user_id: visitorId, custom_cohorts: [7] },
      { user_id: 'another user', custom_cohorts: [8], ctx: null },
    ]);
  });

  marble('drops an answer for a user who is another by then', (helpers) => {
    const { streams, deps } = visitOf(helpers, 'r', '-');
    const adopted$ = helpers.hot('5ms u', { u: 'another user' });
    const output$ = advertiserCohorts(of(null))({ ...streams, adopted$ }, deps);
    helpers.expectObservable(codesOf(output$, 'advertiser')).toBe('n 4ms n', given);
  });

  marble('asks for the view that is open when it asks, once', (helpers) => {
    const { streams, deps, asked } = visitOf(helpers, '5ms r', '2ms w 20ms w');
    const context = () => ({ ...streams.context(), view_id: deps.now() < noon + 2 ? 'view' : 'another' });
    const output$ = advertiserCohorts(of(null))({ ...streams, context }, deps);
    helpers.expectObservable(codesOf(output$, 'advertiser')).toBe('n 14ms a', given);
    helpers.flush();
    expect(asked).toHaveLength(1);
  });

  marble('keeps no answer that would fill the storage, and uses it all the same', (helpers) => {
    const answers = { 'adv/v4/segment': { ...answered, ctx: 'x'.repeat(100_000) } };
    const { run, deps } = visitOf(helpers, 'r', '-', { answers });
    helpers.expectObservable(codesOf(run(), 'advertiser')).toBe('n 9ms a', given);
    helpers.flush();
    expect(readNote('advertiser', deps)).toBeNull();
  });

  marble('takes a thousand codes of a hundred characters at most', (helpers) => {
    const codes = ['', 'x'.repeat(101), ...Array.from({ length: 1001 }, (_, i) => `c${i}`)];
    const c = { cohorts: codes.map((code) => ({ code, groups: [] })), groups: { types: [], counts: [] } };
    const { run } = visitOf(helpers, 'r', '-', { answers: { 'adv/v4/segment': { c, ctx: null } } });
    helpers
      .expectObservable(codesOf(run(), 'advertiser'))
      .toBe('n 9ms m', { n: '', m: codes.slice(2, 1002).join(' ') });
  });
});

/** An answer whose groups are changed so that they fit the cohorts no longer. */
function broken(groups: object) {
  return { 'adv/v4/segment': { ...answered, c: { ...answered.c, groups: { ...answered.c.groups, ...groups } } } };
}
