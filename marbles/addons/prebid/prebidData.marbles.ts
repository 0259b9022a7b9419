import { BehaviorSubject, NEVER, of } from 'rxjs';

import { prebidData } from '../../../src/addons/prebid/prebidData';
import type { ProducedCohorts } from '../../../src/model/cohorts';
import { addonDeps, addonStreams, pageDoors } from '../../support/addonWorld';
import { marble } from '../../support/marbles';

const taxonomies = {
  4: { 7: ['364', '1'], 8: ['364'] },
  7: { 9: ['JLBCU7'], 8: ['JLBCU7'] },
  5001: { 7: ['own'] },
};
const cohortsOf = (members: readonly string[], produced: ProducedCohorts = {}) => ({
  members,
  produced,
  activations: {},
  isRealtime: true,
});
const listOf = (segtax: number, ...ids: readonly string[]) => ({
  name: 'site.example',
  ext: { segtax },
  segment: ids.map((id) => ({ id })),
});
const deps = (given: Parameters<typeof addonDeps>[0] = {}) =>
  addonDeps({ configured: { taxonomies }, origin: () => 'https://www.site.example', ...given });

/** Prebid with these data of others, and what was set. Listeners hear of each `setConfig`, as those of Prebid do. */
const prebid = (ortb2?: unknown) => {
  let config: unknown = ortb2;
  let listeners: readonly (() => void)[] = [];
  const set: unknown[] = [];
  const pbjs = {
    que: { push: (command: () => void) => command() },
    getConfig: (_topic: string, listener?: () => void) => {
      if (listener === undefined) return config;
      listeners = [...listeners, listener];
      return () => (listeners = listeners.filter((each) => each !== listener));
    },
    setConfig: ({ ortb2: next }: { readonly ortb2: object }) => {
      config = next;
      set.push(next);
      for (const listener of listeners) listener();
    },
  };
  const door = pageDoors((name) => (name === 'pbjs' ? pbjs : undefined));
  return { set, door, pbjs, listening: () => listeners.length };
};

describe('prebid_data', () => {
  marble('says what the cohorts mean, at each change, and takes it back when consent goes', (helpers) => {
    const { set, door } = prebid();
    const cohorts$ = helpers.hot('a-b-c-d', {
      a: cohortsOf([]),
      b: cohortsOf(['7', '8']),
      c: cohortsOf(['8', '7', 'constructor']),
      d: cohortsOf(['7']),
    });
    const run$ = prebidData.run(addonStreams({ cohorts$, ...door }), new BehaviorSubject({}), deps());
    helpers.expectObservable(run$, '--------!').toBe('-');
    helpers.flush();
    const ofSeven = [listOf(4, '1', '364'), listOf(5001, 'own')];
    expect(set).toEqual([
      // A cohort of the visitor in a taxonomy of content is an interest.
      { user: { data: [...ofSeven, listOf(7, 'JLBCU7')] } },
      { user: { data: ofSeven } },
      { user: { data: [] } },
    ]);
  });

  marble('says of the content what cohorts of the page mean', (helpers) => {
    const { set, door } = prebid({ site: { name: 'Site', content: { language: 'en' } } });
    const cohorts$ = new BehaviorSubject(cohortsOf(['8', '9'], { contextual: ['9'], affinity: ['8'] }));
    const run$ = prebidData.run(addonStreams({ cohorts$, ...door }), new BehaviorSubject({}), deps());
    helpers.expectObservable(run$, '-').toBe('-');
    helpers.flush();
    expect(set).toEqual([
      {
        user: { data: [listOf(4, '364')] },
        site: { name: 'Site', content: { language: 'en', data: [listOf(7, 'JLBCU7')] } },
      },
    ]);
  });

  marble('replaces its own data, and leaves those of others', (helpers) => {
    const other = { name: 'other.example', ext: { segtax: 4 }, segment: [{ id: '9' }] };
    const noTaxonomy = { name: 'site.example', segment: [{ id: 'of the page' }] };
    const { set, door } = prebid({
      user: { keywords: 'a', data: [listOf(4, 'of the head'), other, noTaxonomy, listOf(600, '3')] },
      regs: { coppa: 0 },
    });
    const sharing$ = helpers.hot('t-f', { t: true, f: false });
    const streams = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf(['8'])), sharing$, ...door });
    helpers.expectObservable(prebidData.run(streams, new BehaviorSubject({}), deps()), '-----').toBe('-');
    helpers.flush();
    const others = [other, noTaxonomy, listOf(600, '3')];
    expect(set.slice(0, 2)).toEqual([
      { user: { keywords: 'a', data: [...others, listOf(4, '364'), listOf(7, 'JLBCU7')] }, regs: { coppa: 0 } },
      { user: { keywords: 'a', data: others }, regs: { coppa: 0 } },
    ]);
  });

  marble('keeps what it says for the next page, also on a page without Prebid', (helpers) => {
    const cohorts$ = helpers.hot('l-a', {
      l: { ...cohortsOf(['9']), isRealtime: false },
      a: cohortsOf(['7', '8', '5']),
    });
    const given = deps();
    const streams = addonStreams({ cohorts$, ...pageDoors(() => undefined) });
    helpers.expectObservable(prebidData.run(streams, new BehaviorSubject({}), given), '^--!').toBe('-');
    helpers.flush();
    const entries = [
      ['4', '1', '7'],
      ['4', '364', '7', '8'],
      ['7', 'JLBCU7', '8'],
      ['5001', 'own', '7'],
    ];
    expect(given.writeKey.mock.calls).toEqual([['permutive-prebid-data', entries]]);
  });

  marble('says at most 100 entries of a taxonomy', (helpers) => {
    const { set, door } = prebid();
    const many = Array.from({ length: 101 }, (_, i) => String(1000 + i));
    const streams = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf(['7'])), ...door });
    const run$ = prebidData.run(
      streams,
      new BehaviorSubject({}),
      deps({ configured: { taxonomies: { 4: { 7: many } } } }),
    );
    helpers.expectObservable(run$, '-').toBe('-');
    helpers.flush();
    expect(set).toEqual([{ user: { data: [listOf(4, ...many.slice(0, 100))] } }]);
  });

  marble('says in which group of an experiment the visitor is, and takes it back when consent goes', (helpers) => {
    const before = { user: { ext: { data: { registered: true } } } };
    const { set, door } = prebid(before);
    const cohorts$ = helpers.hot('a-b', {
      a: { ...cohortsOf([]), group: 'control' as const },
      b: { ...cohortsOf([]), group: 'control' as const },
    });
    const run$ = prebidData.run(addonStreams({ cohorts$, ...door }), new BehaviorSubject({}), deps({ configured: {} }));
    helpers.expectObservable(run$, '---!').toBe('-');
    helpers.flush();
    expect(set).toEqual([
      { user: { ext: { data: { registered: true, prmtvexp: 'control' } } } },
      { user: { ext: { data: { registered: true, prmtvexp: undefined } } } },
    ]);
  });

  marble('leaves Prebid alone while it has nothing to say, and where nobody starts it', (helpers) => {
    const { set, door } = prebid();
    const silent = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf(['7'])), sharing$: of(false), ...door });
    const heard = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf(['7'])), ...door });
    helpers.expectObservable(prebidData.run(silent, new BehaviorSubject({}), deps()), '--!').toBe('-');
    helpers.expectObservable(prebidData.run(heard, NEVER, deps()), '--!').toBe('-');
    helpers.flush();
    expect(set).toEqual([]);
  });

  marble('says it again, in the same task, where the page sets all anew', (helpers) => {
    const { set, door, pbjs, listening } = prebid();
    const streams = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf(['8'])), ...door });
    helpers.expectObservable(prebidData.run(streams, new BehaviorSubject({}), deps()), '^---!').toBe('-');
    const ours = { user: { data: [listOf(4, '364'), listOf(7, 'JLBCU7')] } };
    const site = { site: { content: { language: 'en' } } };
    const other = { name: 'other.example', ext: { segtax: 4 }, segment: [{ id: '9' }] };
    helpers.cold('-s').subscribe(() => {
      pbjs.setConfig({ ortb2: site });
      expect(pbjs.getConfig('ortb2')).toEqual({ ...site, ...ours });
      // Data that another party has added beside ours stay as they are.
      const both = { user: { data: [...ours.user.data, other] } };
      pbjs.setConfig({ ortb2: both });
      expect(pbjs.getConfig('ortb2')).toBe(both);
      expect(set).toEqual([ours, site, { ...site, ...ours }, both]);
    });
    helpers.flush();
    expect(listening()).toBe(0);
    // After the visit, nothing is said any more.
    pbjs.setConfig({ ortb2: site });
    expect(pbjs.getConfig('ortb2')).toBe(site);
  });

  marble('does not fight over it with another script', (helpers) => {
    const { set, door, pbjs } = prebid();
    // That script leaves nothing of a visitor there.
    pbjs.getConfig('ortb2', () => {
      if (set.length < 100 && JSON.stringify(set.at(-1)).includes('user')) pbjs.setConfig({ ortb2: {} });
    });
    const given = deps();
    const streams = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf(['8'])), ...door });
    helpers.expectObservable(prebidData.run(streams, new BehaviorSubject({}), given), '^-!').toBe('-');
    helpers.flush();
    expect(set.length).toBeLessThan(10);
    expect(given.report).not.toHaveBeenCalled();
  });

  marble('says what it has to say to a Prebid that lets nobody listen', (helpers) => {
    const { set, door, pbjs } = prebid();
    Object.assign(pbjs, {
      getConfig: (_: string, listener?: unknown) => {
        if (listener !== undefined) throw new Error('no listeners');
        return undefined;
      },
    });
    const given = deps();
    const streams = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf(['8'])), ...door });
    helpers.expectObservable(prebidData.run(streams, new BehaviorSubject({}), given), '^-').toBe('-');
    helpers.flush();
    expect(set).toEqual([{ user: { data: [listOf(4, '364'), listOf(7, 'JLBCU7')] } }]);
    expect(given.report.mock.calls.map(([message]) => message as unknown)).toEqual(['Prebid failed to take cohorts']);
  });

  marble('reports a Prebid that throws', (helpers) => {
    const { door, pbjs } = prebid();
    Object.assign(pbjs, {
      setConfig: () => {
        throw new Error('of the page');
      },
    });
    const given = deps();
    const streams = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf(['7'])), ...door });
    helpers.expectObservable(prebidData.run(streams, new BehaviorSubject({}), given), '--').toBe('-');
    helpers.flush();
    expect(given.report.mock.calls.map(([message]) => message as unknown)).toContain('Prebid failed to take cohorts');
  });
});
