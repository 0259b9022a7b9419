import { NEVER, of } from 'rxjs';

import { revenueInsights } from '../../../src/addons/prebid/revenueInsights';
import { linesOf } from '../../../test/support/reports';
import { addonDeps, addonStreams, pageDoors, tagDoor } from '../../support/addonWorld';
import { marble } from '../../support/marbles';

const bid = { adId: 'ad', auctionId: 'a1', adUnitCode: 'top', bidder: 'ix', cpm: 2.5, currency: 'EUR', dealId: 'd1' };
const revenue = (changes: object = {}) => ({
  name: 'AdRevenue',
  properties: expect.objectContaining({
    auction_id: 'a1',
    ad_unit_code: 'top',
    bidder: 'ix',
    cpm: 2.5,
    currency: 'EUR',
    deal_id: 'd1',
    revenue: 0.0025,
    ...changes,
  }) as object,
});

/** Prebid, and what it tells its listeners. */
const pbjsOf = () => {
  const listeners = new Set<(event: never) => void>();
  return {
    listeners,
    pbjs: {
      onEvent: (type: string, listener: (event: never) => void) => {
        if (type === 'adRenderSucceeded') listeners.add(listener);
      },
      offEvent: (_: string, listener: (event: never) => void) => void listeners.delete(listener),
    },
    rendered: (event: unknown) => () => listeners.forEach((listener) => listener(event as never)),
  };
};

describe('revenue_insights', () => {
  it('is off by default', () => {
    expect(revenueInsights.autoInit).toBe(false);
  });

  marble('tracks what a rendered bid earns, once', ({ hot, schedule, expectObservable }) => {
    const { pbjs, rendered } = pbjsOf();
    schedule('-b-b-c-f', {
      b: rendered({ bid }),
      c: rendered({ bid: { ...bid, adId: 'other', cpm: 1 } }),
      f: rendered({ bid: { ...bid, adId: 'free', cpm: 0 } }),
    });
    const draft$ = revenueInsights.run(addonStreams(tagDoor(of(pbjs))), hot('o'), addonDeps());
    expectObservable(draft$).toBe('-b---c', { b: revenue(), c: revenue({ cpm: 1, revenue: 0.001 }) });
  });

  marble('survives events that are none, and lets go of Prebid', ({ hot, schedule, flush, expectObservable }) => {
    const { pbjs, rendered, listeners } = pbjsOf();
    const deps = addonDeps();
    schedule('-e-t-b', { e: rendered({}), t: rendered({ bid: { cpm: 'much' } }), b: rendered({ bid }) });
    const draft$ = revenueInsights.run(addonStreams(tagDoor(of(pbjs))), hot('o'), deps);
    expectObservable(draft$, '^-------!').toBe('-----b', { b: revenue() });
    flush();
    expect([listeners.size, linesOf(deps.report)]).toEqual([0, []]);
  });

  marble(
    'says after 200 times 50 ms that there is no Prebid, once it is started',
    ({ hot, flush, expectObservable }) => {
      const doors = pageDoors(() => undefined);
      const deps = { ...addonDeps(), global: doors.global };
      expectObservable(revenueInsights.run(addonStreams({ fromTag: doors.fromTag }), hot('--o'), deps)).toBe('');
      flush();
      expect(linesOf(deps.report)).toEqual(['Revenue could not be read: Nothing within 10000 ms']);
    },
  );

  marble('does nothing before it is started', ({ expectObservable, flush }) => {
    const { pbjs, listeners } = pbjsOf();
    expectObservable(revenueInsights.run(addonStreams(tagDoor(of(pbjs))), NEVER, addonDeps())).toBe('');
    flush();
    expect(listeners.size).toBe(0);
  });
});
