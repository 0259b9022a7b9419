import type { AddonDeps, AnyAddon } from '../../../src/addons/addon';
import { facebookV2 } from '../../../src/addons/segmentPartners/facebook';
import { gigya } from '../../../src/addons/segmentPartners/gigya';
import { pinterest } from '../../../src/addons/segmentPartners/pinterest';
import { tiktok } from '../../../src/addons/segmentPartners/tiktok';
import { twitterPixel } from '../../../src/addons/segmentPartners/twitterPixel';
import { type Activation, reaction } from '../../../src/model/activation';
import { addonStreams } from '../../support/addonWorld';
import { marble, marbles } from '../../support/marbles';
import { activationOf, browserWith, cohorts } from '../../support/partnerWorld';

const E = activationOf('E', 'EveryTime', { segment: 'money' });
const drafts = { E: reaction(E, 'impression') };

/** A page with the pixels of all partners. Each call is noted with the name of the function first. */
const pageWithPixels = () => {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...given: unknown[]): void =>
      void calls.push([name, ...given]);
  const ttq = { track: note('ttq'), instance: (id: string) => ({ track: note(`ttq ${id}`) }) };
  const globals = new Map<string, unknown>([
    ['fbq', note('fbq')],
    ['pintrk', note('pintrk')],
    ['twq', note('twq')],
    ['ttq', ttq],
    ['gigya', { accounts: { setAccountInfo: note('gigya') } }],
  ]);
  const global = jest.fn<unknown, [string]>((name) => globals.get(name));
  return { calls, global, globals };
};

/** What an addon calls when the visitor enters the cohort 7 and leaves it. */
const callsOf = (addon: AnyAddon, activation: Activation, given: object): readonly (readonly unknown[])[] => {
  const { calls, global } = pageWithPixels();
  marbles(({ hot, state, expectObservable, flush }) => {
    const { deps } = browserWith({ activations: [activation], global });
    const options$ = hot('o', { o: addon.options(given, fail) as unknown });
    expectObservable(addon.run(addonStreams({ cohorts$: state('m-n', cohorts) }), options$, deps)).toBe('D-D', {
      D: reaction(activation, 'impression'),
    });
    flush();
  })();
  return calls;
};
const fail = (cause: unknown): never => {
  throw cause as Error;
};

describe.each<readonly [addon: AnyAddon, call: readonly unknown[], single: readonly unknown[]]>([
  [facebookV2, ['fbq', 'trackCustom'], ['fbq', 'trackSingleCustom', '100']],
  [tiktok, ['ttq'], ['ttq 100']],
  [pinterest, ['pintrk', 'track'], ['pintrk', 'track']],
  [twitterPixel, ['twq', 'track'], ['twq', 'track']],
])('$name', (addon, call, single) => {
  it('tells of an entry and an exit by property', () => {
    expect(callsOf(addon, E, {})).toEqual([
      [...call, 'SegmentEntry', { segment: 'money' }],
      [...call, 'SegmentExit', { segment: 'money' }],
    ]);
  });

  it.each<readonly [string, object, Activation]>([
    ['by the options', { core_setup: true }, E],
    ['by the activation', {}, { ...E, wc: { core_setup: true } }],
  ])('tells of them by name in the core set-up, %s', (_, given, activation) => {
    expect(callsOf(addon, activation, given)).toEqual([
      [...call, 'SegmentEntry_money'],
      [...call, 'SegmentExit_money'],
    ]);
  });

  it('goes by the set-up of the activation first', () => {
    const activation = { ...E, wc: { core_setup: false } };
    expect(callsOf(addon, activation, { core_setup: true })[0]).toEqual([
      ...call,
      'SegmentEntry',
      { segment: 'money' },
    ]);
  });

  it('names a segment by the code of its cohort where the activation does not', () => {
    expect(callsOf(addon, activationOf('C', 'EveryTime'), {})[0]).toEqual([...call, 'SegmentEntry', { segment: '7' }]);
  });

  it.each<readonly [string, object, Activation]>([
    ['by the options', { pixel_id: '100' }, E],
    ['by the activation', { pixel_id: '200' }, { ...E, wc: { pixel_id: 100 } }],
  ])('tells the one pixel that is named, where the partner has a call for that, %s', (_, given, activation) => {
    expect(callsOf(addon, activation, given)[0]).toEqual([...single, 'SegmentEntry', { segment: 'money' }]);
  });
});

describe('twitter_pixel', () => {
  const made = { ...E, c: { segment: 'money', event_id: 'tw-a-b', exit_event_id: 'tw-a-c' } };

  it('tells by the events that the publisher has made', () => {
    expect(callsOf(twitterPixel, made, {})).toEqual([
      ['twq', 'event', 'tw-a-b', { contents: [{ content_name: 'SegmentEntry', content_id: 'money' }] }],
      ['twq', 'event', 'tw-a-c', { contents: [{ content_name: 'SegmentExit', content_id: 'money' }] }],
    ]);
    expect(callsOf(twitterPixel, made, { core_setup: true })).toEqual([
      ['twq', 'event', 'tw-a-b', {}],
      ['twq', 'event', 'tw-a-c', {}],
    ]);
  });

  it('starts only when the page starts it', () => {
    expect([twitterPixel, facebookV2, tiktok, pinterest].map(({ autoInit }) => autoInit)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});

describe('gigya', () => {
  it('keeps in the account which segments the visitor is in', () => {
    expect(callsOf(gigya, E, { data_field: 'audience' })).toEqual([
      ['gigya', { data: { audience: { money: true } } }],
      ['gigya', { data: { audience: { money: false } } }],
    ]);
    expect(callsOf(gigya, E, {})[0]).toEqual(['gigya', { data: { permutive_segments: { money: true } } }]);
  });
});

describe('the wait for the page’s function', () => {
  /** A page on which the function is there from that attempt on. */
  const lateBy = (attempts: number) => {
    const { calls, globals } = pageWithPixels();
    let asked = 0;
    const global: AddonDeps['global'] = (name) => ((asked += 1) > attempts ? globals.get(name) : undefined);
    return { calls, global };
  };
  it.each<readonly [string, AnyAddon, number, string, string]>([
    ['is 3 attempts, 1,000 ms apart, for fbq', facebookV2, 2, '- 2s E', '-'],
    ['is 20 attempts, 50 ms apart, for ttq', tiktok, 19, '- 950ms E', '-'],
    ['is 20 attempts, 50 ms apart, for pintrk', pinterest, 19, '- 950ms E', '-'],
    ['is 20 attempts, 50 ms apart, for twq', twitterPixel, 19, '- 950ms E', '-'],
    ['is 20 attempts, 50 ms apart, for gigya', gigya, 19, '- 950ms E', '-'],
  ])('%s', (_, addon, attempts, found, missed) => {
    for (const [late, expected, reports] of [
      [attempts, found, 0],
      [attempts + 1, missed, 1],
    ] as const) {
      marbles(({ hot, state, flush, expectObservable }) => {
        const { deps } = browserWith({ activations: [E], global: lateBy(late).global });
        const options$ = hot('o', { o: addon.options({}, fail) as unknown });
        const streams = addonStreams({ cohorts$: state('lm', cohorts) });
        expectObservable(addon.run(streams, options$, deps)).toBe(expected, drafts);
        flush();
        expect(deps.report).toHaveBeenCalledTimes(reports);
        expect(deps.remember).toHaveBeenCalledTimes(1 - reports);
      })();
    }
  });

  marble('begins when there is something to tell', ({ hot, state, flush, expectObservable }) => {
    const { global } = pageWithPixels();
    const { deps } = browserWith({ activations: [E], global });
    const options$ = hot('o', { o: facebookV2.options({}, fail) });
    expectObservable(facebookV2.run(addonStreams({ cohorts$: state('l-n', cohorts) }), options$, deps)).toBe('-');
    flush();
    expect(global).not.toHaveBeenCalled();
  });

  marble('is over for a stub, and what has taken its place is called', ({ hot, state, flush, expectObservable }) => {
    const { calls, globals, global } = pageWithPixels();
    const loaded = jest.fn();
    const { deps } = browserWith({ activations: [E], global });
    deps.remember.mockImplementationOnce(() => globals.set('fbq', loaded));
    const options$ = hot('o', { o: facebookV2.options({}, fail) });
    expectObservable(facebookV2.run(addonStreams({ cohorts$: state('lm', cohorts) }), options$, deps)).toBe(
      '-E',
      drafts,
    );
    flush();
    expect([calls, loaded.mock.calls]).toEqual([[], [['trackCustom', 'SegmentEntry', { segment: 'money' }]]]);
  });

  it.each([
    ['an element with the id fbq', facebookV2, {}],
    ['a global of another kind', tiktok, { track: 'x' }],
    ['null', tiktok, null],
    ['half of it', gigya, { accounts: {} }],
  ])('goes on past %s', (_, addon, found) => {
    marbles(({ hot, state, flush, expectObservable }) => {
      const { deps } = browserWith({ activations: [E], global: () => found });
      const options$ = hot('o', { o: (addon as AnyAddon).options({}, fail) as unknown });
      const streams = addonStreams({ cohorts$: state('lm', cohorts) });
      expectObservable((addon as AnyAddon).run(streams, options$, deps)).toBe('-');
      flush();
      expect(deps.report.mock.calls).toEqual([[`Failed to reach ${addon.name}`, expect.any(Error)]]);
    })();
  });
});
