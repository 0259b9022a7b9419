import { BehaviorSubject, map, NEVER, Subject } from 'rxjs';

import { prebid } from '../../../src/addons/prebid/prebid';
import type { PageExit } from '../../../src/model/pageSignal';
import { settingsOf } from '../../../test/support/settings';
import { addonDeps as plainDeps, addonStreams, pageDoors, tagDoor } from '../../support/addonWorld';
import { marble, marbles } from '../../support/marbles';

const bid = { adId: 'ad', auctionId: 'a1', adUnitCode: 'top', cpm: 2 };
const pbjsOf = (version: string) => {
  const said$ = new Subject<readonly [string, unknown]>();
  const listeners: [string, (event: never) => void][] = [];
  said$.subscribe(([type, event]) =>
    listeners.forEach(([wanted, listener]) => {
      if (wanted === type) listener(event as never);
    }),
  );
  return {
    pbjs: {
      version,
      onEvent: (type: string, listener: (event: never) => void) => void listeners.push([type, listener]),
      offEvent: (type: string, listener: (event: never) => void) =>
        void listeners.splice(
          listeners.findIndex(([t, l]) => t === type && l === listener),
          1,
        ),
    },
    say: (type: string, event: unknown) => said$.next([type, event]),
    listeners,
  };
};
/** Deps with a local storage behind them. */
const addonDeps = (given: Parameters<typeof plainDeps>[0] = {}) => {
  const stored = new Map<string, unknown>();
  const deps = plainDeps({ readKey: (key) => stored.get(key) ?? null, ...given });
  deps.writeKey.mockImplementation((key: string, value: unknown) => void stored.set(key, value));
  return deps;
};
const optionsOf = (acBidders: readonly string[]) => prebid.options({ acBidders }, () => undefined);
const exposed = (deps: ReturnType<typeof addonDeps>): unknown =>
  (deps.expose.mock.calls as [{ getPermutiveRtdConfig: () => unknown }][]).at(-1)?.[0].getPermutiveRtdConfig();

describe('prebid', () => {
  marble('gives Prebid’s module the project’s bidders, started or not', ({ expectObservable, flush }) => {
    const deps = addonDeps({ configured: { auto_init: false, acBidders: ['ix', 'openx'] } });
    expectObservable(prebid.run(addonStreams({}), NEVER, deps)).toBe('-');
    flush();
    expect(exposed(deps)).toEqual({ acBidders: ['ix', 'openx'] });
    expect(deps.writeKey.mock.calls).toEqual([['permutive-prebid-rtd', { acBidders: ['ix', 'openx'] }]]);
  });

  marble('names the key of a bidder whose own cohorts the module would not find', ({ expectObservable, flush }) => {
    const deps = addonDeps({ configured: { acBidders: ['ix', 'msft', 'constructor'] } });
    expectObservable(prebid.run(addonStreams({}), NEVER, deps)).toBe('-');
    flush();
    const expected = {
      acBidders: ['ix', 'msft', 'constructor'],
      bidders: { msft: { customCohorts: { source: 'ls', key: '_papns' } } },
    };
    expect(exposed(deps)).toEqual(expected);
    expect(deps.writeKey.mock.calls).toEqual([['permutive-prebid-rtd', expected]]);
  });

  marble(
    'hands on where the definition places cohorts, for all bidders and for single ones',
    ({ expectObservable, flush }) => {
      const routes = {
        locations: { audience: { path: 'user.data', name: 'permutive.com', ext: { segtax: 4 } } },
        placement: { curated: ['audience', 'psaud_kw'] },
      };
      const bidders = {
        msft: { placement: { custom: ['perm'] } },
        other: { customCohorts: { source: 'ls', key: '_p' } },
      };
      const deps = addonDeps({ configured: { acBidders: ['msft'], ...routes, bidders } });
      expectObservable(prebid.run(addonStreams({}), NEVER, deps)).toBe('-');
      flush();
      const expected = {
        acBidders: ['msft'],
        ...routes,
        bidders: { ...bidders, msft: { ...bidders.msft, customCohorts: { source: 'ls', key: '_papns' } } },
      };
      expect(exposed(deps)).toEqual(expected);
      expect(deps.writeKey.mock.calls).toEqual([['permutive-prebid-rtd', expected]]);
    },
  );

  marble(
    'hands on a placement without bidders, and leaves out what is of another kind',
    ({ expectObservable, flush }) => {
      const placement = { custom: ['perm'] };
      const deps = addonDeps({ configured: { placement, locations: [1], bidders: { ix: 'all' } } });
      expectObservable(prebid.run(addonStreams({}), NEVER, deps)).toBe('-');
      flush();
      expect(exposed(deps)).toEqual({ acBidders: [], placement });
    },
  );

  marble('has no bidders by default', ({ expectObservable, flush }) => {
    const deps = addonDeps();
    expectObservable(prebid.run(addonStreams({}), NEVER, deps)).toBe('-');
    flush();
    expect(exposed(deps)).toEqual({ acBidders: [] });
  });

  marble('tells the module no bidders while the storage keeps them back', ({ expectObservable, flush }) => {
    const deps = plainDeps({ configured: { acBidders: ['ix'] }, readKey: () => null });
    expectObservable(prebid.run(addonStreams({}), NEVER, deps)).toBe('-');
    flush();
    expect(exposed(deps)).toEqual({ acBidders: [] });
  });

  it.each([
    ['v7.12.0', []],
    ['v7.13.0', ['ix']],
  ])('gives Prebid %s the bidders %p', (version, acBidders) => {
    marbles(({ expectObservable, flush }) => {
      const deps = addonDeps();
      expectObservable(
        prebid.run(
          addonStreams({ ...tagDoor(new BehaviorSubject(pbjsOf(version).pbjs)) }),
          new BehaviorSubject(optionsOf(['ix'])),
          deps,
        ),
      ).toBe('-');
      flush();
      expect(exposed(deps)).toEqual({ acBidders });
    })();
  });

  marble('tracks what its auctions come to', ({ cold, expectObservable }) => {
    const { pbjs, say } = pbjsOf('v11.36.0');
    const heard: Readonly<Record<string, readonly [type: string, event: object]>> = {
      e: ['auctionEnd', { auctionId: 'a1' }],
      r: ['adRenderSucceeded', { bid: { ...bid, cpm: 0 } }],
      f: ['adRenderFailed', { bid: { ...bid, adId: 'failed', status: 'rendered' } }],
      x: ['adRenderFailed', { reason: 'noAd' }],
    };
    cold('-e-r-f-x', heard).subscribe(([type, event]) => say(type, event));
    const deps = addonDeps({ random: () => 0.9, setting: settingsOf() });
    const drafts$ = prebid.run(
      addonStreams({ ...tagDoor(new BehaviorSubject(pbjs)) }),
      new BehaviorSubject(optionsOf([])),
      deps,
    );
    const named = (name: string): unknown => expect.objectContaining({ name });
    expectObservable(drafts$).toBe('---a-c', { a: named('PrebidAuctions'), c: named('PrebidBid') });
  });

  it.each([
    ['all units have rendered', '-e-r--s', '---b--(ab)'],
    ['2 s have passed since the first rendered', '-e-r 1998ms -', '---b 1999ms a'],
    ['2 s have passed since the first rendered, whatever renders again', '-e-r 999ms r', '---b 1999ms a'],
    ['2 s have passed, and another renders later', '-e-r 2000ms s', '---b 1999ms a b'],
    ['the page exits', '-e-r--x', '---b--a'],
    ['the page exits before any renders: not then', '-e-x--r--s', '------b--(ab)'],
    ['the page flushes: not then', '-e-r--f--s', '---b-----(ab)'],
  ])('tracks an auction of two units once, when %s', (_, diagram, expected) => {
    marbles(({ cold, expectObservable }) => {
      const { pbjs, say } = pbjsOf('v11.36.0');
      const side = { ...bid, adId: 'side', adUnitCode: 'side' };
      const pageExit$ = new Subject<PageExit>();
      const exit = (step: PageExit['step']) => () => pageExit$.next({ step, isUnloading: false });
      cold(diagram, {
        e: () => say('auctionEnd', { auctionId: 'a1', bidsReceived: [bid, side] }),
        r: () => say('adRenderSucceeded', { bid }),
        s: () => say('adRenderSucceeded', { bid: side }),
        x: exit('beforeFlush'),
        f: exit('flush'),
      }).subscribe((happen) => happen());
      const drafts$ = prebid.run(
        addonStreams({ ...tagDoor(new BehaviorSubject(pbjs)), pageExit$ }),
        new BehaviorSubject(optionsOf([])),
        addonDeps({ random: () => 0.9, setting: settingsOf() }),
      );
      expectObservable(drafts$.pipe(map(({ name }) => (name === 'PrebidAuctions' ? 'a' : 'b')))).toBe(expected);
    })();
  });

  marble('says after 100 × 50 ms that it has found no Prebid', ({ expectObservable, flush }) => {
    const deps = addonDeps();
    expectObservable(
      prebid.run(addonStreams({ ...pageDoors(() => undefined) }), new BehaviorSubject(optionsOf(['ix'])), deps),
    ).toBe('-');
    flush();
    expect(deps.report.mock.calls).toEqual([['Failed to resolve key', new Error('Nothing within 5000 ms')]]);
    expect(exposed(deps)).toEqual({ acBidders: ['ix'] });
  });

  marble('listens to nothing once it is unsubscribed', ({ expectObservable, flush }) => {
    const { pbjs, listeners } = pbjsOf('v11.36.0');
    expectObservable(
      prebid.run(
        addonStreams({ ...tagDoor(new BehaviorSubject(pbjs)) }),
        new BehaviorSubject(optionsOf([])),
        addonDeps(),
      ),
      '^--!',
    ).toBe('-');
    flush();
    expect(listeners).toEqual([]);
  });
});
