import { mergeMap, scan, switchMap } from 'rxjs';

import type { EventDraft } from '../../model/event';
import { isolate } from '../../operators/isolate';
import type { Addon } from '../addon';
import { fromPrebid, prebidEvents } from '../adServer/fromPrebid';
import type { PrebidBid } from '../adServer/pbjs';
import { bidKey, bidProperties, maxTracked } from './auctions';

/** Of an error in this addon. */
const message = 'Revenue could not be read';

interface Revenue {
  /** Keys of the bids that were tracked, oldest first. */
  readonly tracked: readonly string[];
  readonly drafts: readonly EventDraft[];
}

/**
 * Tracks what each ad that Prebid has rendered earns: the event AdRevenue, once a bid. The upload adds the visitor's
 * cohorts, so that revenue can be told by cohort (docs/decisions/089-identities-and-revenue.md). Prebid is
 * missing after 200 times 50 ms (spec C§9). Off unless the project or the page starts it.
 */
export const revenueInsights: Addon<unknown> = {
  name: 'revenue_insights',
  autoInit: false,
  options: () => undefined,
  run: (streams, options$, deps) =>
    options$.pipe(
      // switchMap: another start replaces the one before.
      switchMap(() =>
        fromPrebid(streams, deps, (cause) => deps.report(message, cause), 10_000).pipe(
          mergeMap((pbjs) => prebidEvents(pbjs, 'adRenderSucceeded')),
          scan(revenueStep, { tracked: [], drafts: [] }),
          mergeMap(({ drafts }) => drafts),
          isolate(message, deps.report),
        ),
      ),
    ),
};

/** One rendered bid. The revenue is a thousandth of its price. A bid without a price earns nothing. Pure. */
const revenueStep = ({ tracked }: Revenue, { bid }: { readonly bid?: PrebidBid }): Revenue => {
  const { cpm = 0 } = bid ?? {};
  if (bid === undefined || !(cpm > 0) || tracked.includes(bidKey(bid))) return { tracked, drafts: [] };
  const properties = { auction_id: bid.auctionId, ...bidProperties(bid, true), revenue: cpm / 1000 };
  return { tracked: [...tracked, bidKey(bid)].slice(-maxTracked), drafts: [{ name: 'AdRevenue', properties }] };
};
