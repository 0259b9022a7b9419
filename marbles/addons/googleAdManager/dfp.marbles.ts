import { BehaviorSubject, distinctUntilChanged, map, NEVER, startWith, tap } from 'rxjs';

import type { AddonStreams } from '../../../src/addons/addon';
import { dfp } from '../../../src/addons/googleAdManager/dfp';
import type { Googletag } from '../../../src/addons/googleAdManager/googletag';
import type { Cohorts } from '../../../src/model/cohorts';
import { eventOf } from '../../../test/support/events';
import { addonDeps, addonStreams as anyStreams, pageDoors, tagDoor } from '../../support/addonWorld';
import { marble, marbles } from '../../support/marbles';

const addonStreams = (given: Partial<AddonStreams>): AddonStreams =>
  anyStreams({ view$: new BehaviorSubject('view'), ...given });
const fail = (cause: unknown): never => {
  throw cause;
};
const cohortsOf = (isRealtime: boolean, ...members: string[]): Cohorts => ({ members, activations: {}, isRealtime });
/** l: the last page's; o: the same, now this page's own; p: another one more; q: one more that Google is not told. */
const states = {
  l: cohortsOf(false, '1'),
  o: cohortsOf(true, '1'),
  p: cohortsOf(true, '1', '2'),
  q: cohortsOf(true, '1', '2', 'hidden'),
};
const start = { s: dfp.options({}, fail) };
const codesFor = (_: string, { members }: Cohorts): readonly string[] =>
  members.filter((id) => id !== 'hidden').map((id) => `c${id}`);

/** Google's tag, in the older form. */
const tagWith = (setTargeting: jest.Mock): Googletag => ({ pubads: () => ({ setTargeting }) });
const always = { puid: 'visitor', ptime: '1767268800000', prmtvsdk: 'web', prmtvvid: 'view', prmtvwid: 'workspace' };
const segments = (setTargeting: jest.Mock): unknown[] =>
  (setTargeting.mock.calls as [string, unknown][]).filter(([key]) => key === 'permutive').map(([, codes]) => codes);

describe('dfp', () => {
  marble(
    'sets page-level targeting as soon as there are cohorts and a tag, and with each change',
    ({ cold, expectObservable, flush }) => {
      const setTargeting = jest.fn();
      const cohorts$ = cold(' l---o-p--', states);
      const googletag$ = cold('--g', { g: tagWith(setTargeting) });
      expectObservable(
        dfp.run(
          addonStreams({ cohorts$, ...tagDoor(googletag$) }),
          cold('s', start),
          addonDeps({ codesFor, readKey: () => ['c9'] }),
        ),
      ).toBe('-');
      flush();
      expect(segments(setTargeting)).toEqual([['c9'], ['c1', 'rts'], ['c1', 'c2', 'rts']]);
      expect(Object.fromEntries(setTargeting.mock.calls as [string, unknown][])).toEqual({
        permutive: ['c1', 'c2', 'rts'],
        ...always,
      });
    },
  );

  marble('says in which group of an experiment the visitor is', ({ cold, expectObservable, flush }) => {
    const setTargeting = jest.fn();
    const cohorts$ = cold('o', { o: { ...cohortsOf(true), group: 'control' as const } });
    const streams = addonStreams({ cohorts$, ...tagDoor(cold('g', { g: tagWith(setTargeting) })) });
    expectObservable(dfp.run(streams, cold('s', start), addonDeps({ codesFor }))).toBe('-');
    flush();
    expect(Object.fromEntries(setTargeting.mock.calls as [string, unknown][])).toEqual({
      permutive: ['rts'],
      prmtvexp: 'control',
      ...always,
    });
  });

  marble('names another user at once, though the codes stay the same', ({ cold, expectObservable, flush }) => {
    const setTargeting = jest.fn();
    let userId = 'visitor';
    const cohorts$ = cold(' o-o', states).pipe(
      tap(() => (userId = setTargeting.mock.calls.length > 0 ? 'other' : userId)),
    );
    const visitor = () => ({ userId, viewId: 'view', workspaceId: 'workspace', sdkType: 'web' });
    const deps = addonDeps({ codesFor, visitor });
    expectObservable(
      dfp.run(addonStreams({ cohorts$, ...tagDoor(cold('g', { g: tagWith(setTargeting) })) }), cold('s', start), deps),
    ).toBe('-');
    flush();
    const told = setTargeting.mock.calls as [string, unknown][];
    expect(told.filter(([key]) => key === 'puid')).toEqual([
      ['puid', 'visitor'],
      ['puid', 'other'],
    ]);
    expect(segments(setTargeting)).toEqual(Array(2).fill(['c1', 'rts']));
  });

  marble('stores the same codes once more for another user', ({ cold, expectObservable, flush }) => {
    const deps = addonDeps({ codesFor });
    expectObservable(dfp.run(addonStreams({ cohorts$: cold('o-l-o', states) }), cold('s', start), deps)).toBe('-');
    flush();
    expect(deps.writeKey.mock.calls).toEqual(Array(2).fill(['_pdfps', ['c1']]));
  });

  marble('sets nothing again that has not changed', ({ cold, expectObservable, flush }) => {
    const setTargeting = jest.fn();
    const cohorts$ = cold(' p-p-q-q', states);
    const deps = addonDeps({ codesFor });
    expectObservable(
      dfp.run(addonStreams({ cohorts$, ...tagDoor(cold('g', { g: tagWith(setTargeting) })) }), cold('s', start), deps),
    ).toBe('-');
    flush();
    expect(segments(setTargeting)).toEqual([['c1', 'c2', 'rts']]);
    expect(deps.writeKey).toHaveBeenCalledTimes(1);
  });

  marble(
    'stores this page’s codes for the next, and leaves alone what the last one stored',
    ({ cold, expectObservable, flush }) => {
      const deps = addonDeps({ codesFor });
      const cohorts$ = cold(' l-o-p', states);
      expectObservable(dfp.run(addonStreams({ cohorts$ }), cold('s', start), deps)).toBe('-');
      flush();
      const stored = [
        ['_pdfps', ['c1']],
        ['_pdfps', ['c1', 'c2']],
      ];
      expect(deps.writeKey.mock.calls).toEqual(stored);
      expect(deps.writeCookie.mock.calls).toEqual(stored);
    },
  );

  it.each([
    ['nothing', null, []],
    ['no list', { 0: 'c1' }, []],
    ['codes and numbers', ['c1', 7], ['c1', '7']],
    ['codes and other things', ['c1', null, { code: 'c2' }, ['c3']], ['c1']],
  ])('takes the last page’s codes: %s', (_, stored, expected) => {
    marbles(({ cold, expectObservable, flush }) => {
      const setTargeting = jest.fn();
      const googletag$ = cold('g', { g: tagWith(setTargeting) });
      expectObservable(
        dfp.run(
          addonStreams({ cohorts$: cold('l', states), ...tagDoor(googletag$) }),
          cold('s', start),
          addonDeps({ readKey: () => stored }),
        ),
      ).toBe('-');
      flush();
      expect(segments(setTargeting)).toEqual([expected]);
    })();
  });

  marble('uses setConfig where that replaced setTargeting', ({ cold, expectObservable, flush }) => {
    const setConfig = jest.fn();
    const tags = { g: { setConfig, pubads: () => ({}) }, h: { setConfig } };
    for (const letter of ['g', 'h']) {
      expectObservable(
        dfp.run(
          addonStreams({ cohorts$: cold('o', states), ...tagDoor(cold(letter, tags)) }),
          cold('s', start),
          addonDeps({ codesFor }),
        ),
      ).toBe('-');
    }
    flush();
    const call = [{ targeting: { permutive: ['c1', 'rts'], ...always } }];
    expect(setConfig.mock.calls).toEqual([call, call]);
  });

  marble('says after 200 × 10 ms that there is no tag, and goes on storing', ({ cold, expectObservable, flush }) => {
    const deps = addonDeps({ codesFor });
    const cohorts$ = cold(' o 2999ms p', states);
    expectObservable(dfp.run(addonStreams({ cohorts$, ...pageDoors(() => undefined) }), cold('s', start), deps)).toBe(
      '-',
    );
    flush();
    expect(deps.report.mock.calls).toEqual([['Unable to find google tag script', new Error('Nothing within 2000 ms')]]);
    expect(deps.writeKey).toHaveBeenCalledTimes(2);
  });

  marble(
    'reports what Google’s tag throws, and tries again with the next change',
    ({ cold, expectObservable, flush }) => {
      const broken = new Error('broken');
      const setTargeting = jest.fn().mockImplementationOnce(() => {
        throw broken;
      });
      const deps = addonDeps({ codesFor });
      const cohorts$ = cold(' o-p', states);
      expectObservable(
        dfp.run(
          addonStreams({ cohorts$, ...tagDoor(cold('g', { g: tagWith(setTargeting) })) }),
          cold('s', start),
          deps,
        ),
      ).toBe('-');
      flush();
      expect(deps.report.mock.calls).toEqual([['DFP failed to set data', broken]]);
      expect(segments(setTargeting).at(-1)).toEqual(['c1', 'c2', 'rts']);
    },
  );

  marble('tells Google of another view in the same document', ({ cold, hot, expectObservable, flush }) => {
    const setTargeting = jest.fn();
    const event$ = hot('-a-b-c', {
      a: eventOf('a'),
      b: eventOf('b', { view_id: 'second' }),
      c: eventOf('c', { view_id: 'second' }),
    });
    let viewId = 'view';
    event$.subscribe(({ view_id }) => (viewId = view_id));
    const visitor = () => ({ userId: 'visitor', viewId, workspaceId: 'workspace', sdkType: 'web' });
    const view$ = event$.pipe(
      map(({ view_id }) => view_id),
      startWith('view'),
      distinctUntilChanged(),
    );
    const streams = addonStreams({
      view$,
      cohorts$: cold('o', states),
      ...tagDoor(cold('g', { g: tagWith(setTargeting) })),
    });
    expectObservable(dfp.run(streams, cold('s', start), addonDeps({ codesFor, visitor }))).toBe('-');
    flush();
    expect(
      (setTargeting.mock.calls as [string, unknown][]).filter(([key]) => key === 'prmtvvid').map(([, view]) => view),
    ).toEqual(['view', 'second']);
  });

  marble('starts over when it is started again', ({ hot, cold, expectObservable, flush }) => {
    const setTargeting = jest.fn();
    const googletag$ = cold('g', { g: tagWith(setTargeting) });
    const cohorts$ = cold(' o', states);
    expectObservable(
      dfp.run(addonStreams({ cohorts$, ...tagDoor(googletag$) }), hot('s--s', start), addonDeps({ codesFor })),
    ).toBe('-');
    flush();
    expect(segments(setTargeting)).toEqual([
      ['c1', 'rts'],
      ['c1', 'rts'],
    ]);
  });

  marble('does nothing before it is started', ({ hot, expectObservable, expectSubscriptions }) => {
    const cohorts$ = hot('  o', states);
    expectObservable(dfp.run(addonStreams({ cohorts$ }), NEVER, addonDeps())).toBe('-');
    expectSubscriptions(cohorts$.subscriptions).toBe([]);
  });

  marble('lets go of everything when unsubscribed early', ({ hot, cold, expectObservable, expectSubscriptions }) => {
    const cohorts$ = hot('  o---p', states);
    const googletag$ = hot('--g  ', { g: tagWith(jest.fn()) });
    const unsub = '         ^--! ';
    const sinceTag = '      --^! ';
    expectObservable(
      dfp.run(addonStreams({ cohorts$, ...tagDoor(googletag$) }), cold('s', start), addonDeps({ codesFor })),
      unsub,
    ).toBe('-');
    expectSubscriptions(cohorts$.subscriptions).toBe([unsub, sinceTag]);
    expectSubscriptions(googletag$.subscriptions).toBe(unsub);
  });

  marble(
    'starts over with another view where the page starts it, and forgets what was stored',
    ({ hot, cold, expectObservable, flush }) => {
      const deps = addonDeps({ codesFor });
      const view$ = cold('  v--w', { v: 'one', w: 'two' });
      const options$ = hot('s', { s: dfp.options({ auto_init: false }, fail) });
      expectObservable(dfp.run(addonStreams({ cohorts$: cold('o', states), view$ }), options$, deps)).toBe('-');
      flush();
      expect(deps.forget.mock.calls).toEqual([['_pdfps']]);
      expect(deps.writeKey.mock.calls).toEqual([
        ['_pdfps', ['c1']],
        ['_pdfps', ['c1']],
      ]);
    },
  );

  marble(
    'forgets nothing with another view where it has started by itself',
    ({ hot, cold, expectObservable, flush }) => {
      const deps = addonDeps({ codesFor });
      expectObservable(
        dfp.run(addonStreams({ cohorts$: cold('o', states), view$: cold('v--w') }), hot('s', start), deps),
      ).toBe('-');
      flush();
      expect(deps.forget).not.toHaveBeenCalled();
    },
  );

  marble(
    'takes the visitor out of the targeting when it is stopped, by either call',
    ({ hot, cold, expectObservable, flush }) => {
      const [setTargeting, clearTargeting, setConfig] = [jest.fn(), jest.fn(), jest.fn()];
      const tags = { g: { pubads: () => ({ setTargeting, clearTargeting }) }, h: { setConfig } };
      for (const letter of ['g', 'h']) {
        expectObservable(
          dfp.run(
            addonStreams({ cohorts$: cold('o', states), ...tagDoor(cold(letter, tags)) }),
            hot('s', start),
            addonDeps({ codesFor }),
          ),
          '^-!',
        ).toBe('-');
      }
      flush();
      const keys = ['permutive', ...Object.keys(always), 'prmtvexp'];
      expect(clearTargeting.mock.calls).toEqual(keys.map((key) => [key]));
      expect(setConfig.mock.calls.at(-1)).toEqual([{ targeting: Object.fromEntries(keys.map((key) => [key, null])) }]);
    },
  );
});
