import { BehaviorSubject, NEVER, of, tap } from 'rxjs';

import { googlePps } from '../../../src/addons/googleAdManager/googlePps';
import { addonDeps, addonStreams, pageDoors } from '../../support/addonWorld';
import { marble } from '../../support/marbles';

const taxonomies = {
  4: { 7: ['626'], 8: ['626'], 10000001: ['6'] },
  6: { 9: ['48'] },
  7: { 7: ['content'] },
};
const cohortsOf = (...members: string[]) => ({ members, activations: {}, isRealtime: true });
const audience = (...values: string[]) => ({ pps: { taxonomies: { IAB_AUDIENCE_1_1: { values } } } });
const cleared = { pps: null };

/** Google's tag, and what it was told. */
const tag = (setConfig = jest.fn()) => ({
  setConfig,
  door: pageDoors((name) => (name === 'googletag' ? { setConfig, cmd: atOnce } : undefined)),
});
const atOnce = { push: (command: () => void) => command() };

/** The addon is started with these options of the page. */
const started = (given: object = {}) => new BehaviorSubject(googlePps.options(given, () => undefined));

describe('google_pps', () => {
  marble('sets what the cohorts mean in each taxonomy, at each change', ({ hot, expectObservable, flush }) => {
    const { setConfig, door } = tag();
    const cohorts$ = hot('a-b-c-d-e', {
      a: cohortsOf(),
      b: cohortsOf('8', '7', '10000001'),
      c: cohortsOf('7', '10000001', '5'),
      d: cohortsOf('9', '7'),
      e: cohortsOf('constructor'),
    });
    const streams = addonStreams({ cohorts$, ...door });
    expectObservable(googlePps.run(streams, started(), addonDeps({ configured: { taxonomies } }))).toBe('-');
    flush();
    expect(setConfig.mock.calls.flat()).toEqual([
      audience('6', '626'),
      {
        pps: { taxonomies: { IAB_AUDIENCE_1_1: { values: ['626'] }, IAB_CONTENT_2_2: { values: ['48'] } } },
      },
      cleared,
    ]);
  });

  marble('clears the signals when the visitor objects to sharing, and sets them again', (helpers) => {
    const { setConfig, door } = tag();
    const sharing$ = helpers.hot('t-f-t', { t: true, f: false });
    const streams = addonStreams({ cohorts$: of(cohortsOf('7')), sharing$, ...door });
    helpers
      .expectObservable(googlePps.run(streams, started(), addonDeps({ configured: { taxonomies } })), '-----')
      .toBe('-');
    helpers.flush();
    expect(setConfig.mock.calls.flat().slice(0, 3)).toEqual([audience('626'), cleared, audience('626')]);
  });

  marble('clears the signals when consent goes', ({ expectObservable, flush }) => {
    const { setConfig, door } = tag();
    const streams = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf('7')), ...door });
    const run$ = googlePps.run(streams, started(), addonDeps({ configured: { taxonomies } }));
    expectObservable(run$, '---!').toBe('-');
    flush();
    expect(setConfig.mock.calls.flat()).toEqual([audience('626'), cleared]);
  });

  marble('leaves the signals of the page alone where it has none', ({ expectObservable, flush }) => {
    const { setConfig, door } = tag();
    const silent = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf('7')), sharing$: of(false), ...door });
    const empty = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf('5')), ...door });
    const start$ = started();
    expectObservable(googlePps.run(silent, start$, addonDeps({ configured: { taxonomies } })), '---!').toBe('-');
    expectObservable(googlePps.run(empty, start$, addonDeps({ configured: { taxonomies } })), '---!').toBe('-');
    expectObservable(googlePps.run(empty, start$, addonDeps({ configured: { taxonomies: 'none' } })), '---!').toBe('-');
    flush();
    expect(setConfig).not.toHaveBeenCalled();
  });

  marble('reports a tag that throws, and sets the next signals', ({ hot, expectObservable, flush }) => {
    const setConfig = jest.fn().mockImplementationOnce(() => {
      throw new Error('of the page');
    });
    const cohorts$ = hot('a-b', { a: cohortsOf('7'), b: cohortsOf('10000001') });
    const streams = addonStreams({ cohorts$, ...tag(setConfig).door });
    const deps = addonDeps({ configured: { taxonomies } });
    expectObservable(googlePps.run(streams, started(), deps)).toBe('-');
    flush();
    expect(deps.report.mock.calls.map(([message]) => message as unknown)).toEqual(['Google failed to set signals']);
    expect(setConfig).toHaveBeenLastCalledWith(audience('6'));
  });

  marble(
    'sets the signals again where Prebid has set its own, with those of other parties',
    ({ hot, flush, expectObservable }) => {
      const setConfig = jest.fn();
      const listeners: (() => void)[] = [];
      const ours = { name: 'site.example', ext: { segtax: 4 }, segment: [{ id: 'before' }] };
      const theirs = { name: 'other.example', ext: { segtax: 4 }, segment: [{ id: '9' }, { id: 7 }, {}, null] };
      const foreign = { name: 'other.example', ext: { segtax: 600 }, segment: [{ id: '1' }] };
      const content = { name: 'other.example', ext: { segtax: 6 }, segment: [{ id: '48' }] };
      const pbjs = {
        que: atOnce,
        getConfig: () => ({
          user: { data: [ours, theirs, foreign, null, {}] },
          site: { content: { data: [content] } },
        }),
        onEvent: (type: string, listener: () => void) => void (type === 'setTargeting' && listeners.push(listener)),
        offEvent: () => void listeners.pop(),
      };
      const globals: Readonly<Record<string, unknown>> = { googletag: { setConfig, cmd: atOnce }, pbjs };
      const streams = addonStreams({
        cohorts$: hot('a----b', { a: cohortsOf('7'), b: cohortsOf() }),
        ...pageDoors((name) => globals[name]),
      });
      const run$ = googlePps.run(streams, started(), addonDeps({ configured: { taxonomies } }));
      expectObservable(run$, '---------!').toBe('-');
      expectObservable(hot('--s----s', { s: 0 }).pipe(tap(() => listeners.forEach((listener) => listener())))).toBe(
        '--s----s',
        { s: 0 },
      );
      flush();
      const together = {
        pps: { taxonomies: { IAB_AUDIENCE_1_1: { values: ['626', '9'] }, IAB_CONTENT_2_2: { values: ['48'] } } },
      };
      const others = { pps: { taxonomies: { ...together.pps.taxonomies, IAB_AUDIENCE_1_1: { values: ['9'] } } } };
      // At the change of cohorts, at Prebid's event, at the next change, at the next event, and at the end.
      expect(setConfig.mock.calls.flat()).toEqual([together, together, others, others, others]);
      expect(listeners).toEqual([]);
    },
  );

  /** Google's tag, whose `setConfig` belongs to it, so that the page and the addon call the same one. */
  const tagOnPage = () => {
    const set: unknown[] = [];
    const googletag = { cmd: atOnce, setConfig: ({ pps }: { readonly pps?: unknown }) => set.push(pps) };
    return { set, googletag, door: pageDoors((name) => (name === 'googletag' ? googletag : undefined)) };
  };
  const signals = (given: Readonly<Record<string, readonly unknown[]>>) => ({
    taxonomies: Object.fromEntries(Object.entries(given).map(([name, values]) => [name, { values }])),
  });

  marble('stands beside what the page sets afterwards, in the same task', ({ hot, flush, expectObservable }) => {
    const { set, googletag, door } = tagOnPage();
    const cohorts$ = hot('a----b', { a: cohortsOf('7'), b: cohortsOf('9', '10000001') });
    const run$ = googlePps.run(
      addonStreams({ cohorts$, ...door }),
      started(),
      addonDeps({ configured: { taxonomies } }),
    );
    expectObservable(run$, '^----------!').toBe('-');
    const steps = [
      // Ids that a cohort means are no signals of the page's: Prebid repeats those of its auctions.
      signals({ IAB_CONTENT_2_2: ['186', 48, '48'], IAB_AUDIENCE_1_1: ['626', '6'], OTHER: ['1'] }),
      null,
      signals({ IAB_CONTENT_2_2: ['187'] }),
      { taxonomies: 'none' },
      signals({ IAB_CONTENT_2_2: ['188'] }),
    ];
    hot('-s-s(ss)--s').subscribe(() => googletag.setConfig({ pps: steps.shift() }));
    hot('-s').subscribe(() => googletag.setConfig({}));
    flush();
    expect(set).toEqual([
      signals({ IAB_AUDIENCE_1_1: ['626'] }),
      signals({ IAB_CONTENT_2_2: ['186', 48, '48'], IAB_AUDIENCE_1_1: ['626', '6'], OTHER: ['1'] }),
      signals({ IAB_AUDIENCE_1_1: ['626'], IAB_CONTENT_2_2: ['186'] }),
      undefined,
      null,
      signals({ IAB_AUDIENCE_1_1: ['626'] }),
      signals({ IAB_CONTENT_2_2: ['187'] }),
      signals({ IAB_AUDIENCE_1_1: ['626'], IAB_CONTENT_2_2: ['187'] }),
      { taxonomies: 'none' },
      signals({ IAB_AUDIENCE_1_1: ['626'] }),
      signals({ IAB_AUDIENCE_1_1: ['6'], IAB_CONTENT_2_2: ['48'] }),
      signals({ IAB_CONTENT_2_2: ['188'] }),
      signals({ IAB_AUDIENCE_1_1: ['6'], IAB_CONTENT_2_2: ['188', '48'] }),
      signals({ IAB_CONTENT_2_2: ['188'] }),
    ]);
  });

  marble('stands beside what the page had set before, where the page says it', ({ hot, flush, expectObservable }) => {
    const { set, googletag, door } = tagOnPage();
    const streams = addonStreams({ cohorts$: hot('a-b-a', { a: cohortsOf('7'), b: cohortsOf() }), ...door });
    const page_signals = signals({ IAB_CONTENT_2_2: ['186'], IAB_AUDIENCE_1_1: ['626'] });
    const run$ = googlePps.run(streams, started({ page_signals }), addonDeps({ configured: { taxonomies } }));
    expectObservable(run$, '^------!').toBe('-');
    hot('---s').subscribe(() => googletag.setConfig({ pps: signals({ IAB_CONTENT_2_2: ['187'] }) }));
    flush();
    const ofPage = signals({ IAB_CONTENT_2_2: ['186'] });
    expect(set).toEqual([
      signals({ IAB_AUDIENCE_1_1: ['626'], IAB_CONTENT_2_2: ['186'] }),
      ofPage,
      signals({ IAB_CONTENT_2_2: ['187'] }),
      signals({ IAB_CONTENT_2_2: ['187'] }),
      signals({ IAB_AUDIENCE_1_1: ['626'], IAB_CONTENT_2_2: ['187'] }),
      signals({ IAB_CONTENT_2_2: ['187'] }),
    ]);
  });

  it('takes no signals of another shape from the page', () => {
    const onFault = jest.fn();
    expect(googlePps.options({ page_signals: ['186'] }, onFault)).toEqual({ page_signals: {} });
    expect(onFault).toHaveBeenCalledTimes(1);
  });

  marble('leaves what the page has set, once consent goes', ({ flush, expectObservable, hot }) => {
    const { set, googletag, door } = tagOnPage();
    const streams = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf('7')), ...door });
    const run$ = googlePps.run(streams, started(), addonDeps({ configured: { taxonomies } }));
    expectObservable(run$, '^--!').toBe('-');
    hot('-s--s').subscribe(() => googletag.setConfig({ pps: signals({ IAB_CONTENT_2_2: ['186'] }) }));
    flush();
    expect(set.slice(2)).toEqual([
      signals({ IAB_AUDIENCE_1_1: ['626'], IAB_CONTENT_2_2: ['186'] }),
      signals({ IAB_CONTENT_2_2: ['186'] }),
      signals({ IAB_CONTENT_2_2: ['186'] }),
    ]);
  });

  marble('does not fight over them with another script', ({ flush, expectObservable, hot }) => {
    const { set, googletag, door } = tagOnPage();
    const cohorts$ = hot('-a', { a: cohortsOf('7') });
    const run$ = googlePps.run(
      addonStreams({ cohorts$, ...door }),
      started(),
      addonDeps({ configured: { taxonomies } }),
    );
    expectObservable(run$, '^-').toBe('-');
    // That script wraps the method after the addon, and wants none.
    hot('s').subscribe(() => {
      const { setConfig } = googletag;
      googletag.setConfig = (config) => {
        setConfig(config);
        if (config.pps !== null && set.length < 100) googletag.setConfig({ pps: null });
        return 0;
      };
    });
    flush();
    expect(set.length).toBeLessThan(10);
  });

  marble('leaves Prebid’s signals alone where it has none', ({ hot, flush, expectObservable }) => {
    const setConfig = jest.fn();
    const pbjs = { que: atOnce, onEvent: (_: string, listener: () => void) => listener(), offEvent: () => undefined };
    const globals: Readonly<Record<string, unknown>> = { googletag: { setConfig, cmd: atOnce }, pbjs };
    const streams = addonStreams({ cohorts$: hot('a', { a: cohortsOf('5') }), ...pageDoors((name) => globals[name]) });
    expectObservable(googlePps.run(streams, started(), addonDeps({ configured: { taxonomies } }))).toBe('-');
    flush();
    expect(setConfig).not.toHaveBeenCalled();
  });

  marble('clears what the companion has told where it does not hold any more, and nothing twice', (helpers) => {
    const told = audience('626').pps;
    const clearedFor = (cohort: string, sharing = 't') => {
      const { setConfig, door } = tag();
      const cohorts$ = helpers.cold(cohort, { n: cohortsOf('5'), m: cohortsOf('10000001') });
      const sharing$ = helpers.cold(sharing, { t: true, f: false });
      const global = (name: string): unknown => (name === '__permutive' ? { pps: told } : undefined);
      const deps = addonDeps({ configured: { taxonomies }, global });
      helpers.expectObservable(googlePps.run(addonStreams({ cohorts$, sharing$, ...door }), started(), deps)).toBe('-');
      return setConfig;
    };
    const all = [clearedFor('n-n'), clearedFor('m'), clearedFor('m', 'f')];
    helpers.flush();
    expect(all.map(({ mock }) => mock.calls.flat() as unknown)).toEqual([[cleared], [audience('6')], [cleared]]);
  });

  marble('keeps what the cohorts mean to Google for the next page, once this page has evaluated them', (helpers) => {
    const { door } = tag();
    const cohorts$ = helpers.hot('l-a-a-b-c', {
      l: { ...cohortsOf('10000001'), isRealtime: false },
      a: cohortsOf('8', '7', '10000001', '5'),
      b: cohortsOf('9', '7'),
      c: cohortsOf('5'),
    });
    const stored = new Map<string, unknown>();
    const deps = addonDeps({ configured: { taxonomies }, readKey: (key) => stored.get(key) ?? null });
    deps.writeKey.mockImplementation((key: string, value: unknown) => stored.set(key, value));
    helpers.expectObservable(googlePps.run(addonStreams({ cohorts$, ...door }), started(), deps)).toBe('-');
    helpers.flush();
    const key = 'permutive-pps';
    expect(deps.writeKey.mock.calls).toEqual([
      [
        key,
        [
          ['IAB_AUDIENCE_1_1', '6', '10000001'],
          ['IAB_AUDIENCE_1_1', '626', '8', '7'],
        ],
      ],
      [
        key,
        [
          ['IAB_AUDIENCE_1_1', '626', '7'],
          ['IAB_CONTENT_2_2', '48', '9'],
        ],
      ],
      [key, []],
    ]);
  });

  marble('keeps them once more where they were removed with everything of another user, and reads once', (helpers) => {
    const cohorts = { l: { ...cohortsOf(), isRealtime: false }, a: cohortsOf('7') };
    const stored = new Map<string, unknown>();
    const readKey = jest.fn((key: string) => stored.get(key) ?? null);
    const deps = addonDeps({ configured: { taxonomies }, readKey });
    deps.writeKey.mockImplementation((key: string, value: unknown) => stored.set(key, value));
    const cohorts$ = helpers.hot('aaa-l-a', cohorts);
    helpers.expectObservable(googlePps.run(addonStreams({ cohorts$, ...tag().door }), started(), deps)).toBe('-');
    helpers.hot('----l').subscribe(() => stored.clear());
    helpers.flush();
    expect(deps.writeKey).toHaveBeenCalledTimes(2);
    expect(readKey).toHaveBeenCalledTimes(2);
    expect([...stored.keys()]).toEqual(['permutive-pps']);
  });

  marble('keeps nothing for the next page where there was nothing and is nothing', (helpers) => {
    const cohorts$ = helpers.hot('a', { a: cohortsOf('5') });
    const deps = addonDeps({ configured: { taxonomies } });
    const streams = addonStreams({ cohorts$, ...tag().door });
    helpers.expectObservable(googlePps.run(streams, started(), deps)).toBe('-');
    helpers.flush();
    expect(deps.writeKey).not.toHaveBeenCalled();
  });

  marble('asks for nothing where nobody starts it', ({ expectObservable, flush }) => {
    const { setConfig, door } = tag();
    const streams = addonStreams({ cohorts$: of(cohortsOf('7')), ...door });
    expectObservable(googlePps.run(streams, NEVER, addonDeps({ configured: { taxonomies } }))).toBe('-');
    flush();
    expect(setConfig).not.toHaveBeenCalled();
  });
});
