import { defer, map, merge, mergeMap, type Observable, scan, switchMap } from 'rxjs';

import { AnyString, list, object, readOr, shape, type TypeOf } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';
import type { EventDraft } from '../../model/event';
import { localKeys } from '../../model/storageKeys';
import { perform } from '../../operators/creators/perform';
import { isolate } from '../../operators/isolate';
import type { Addon, AddonDeps } from '../addon';
import { type AuctionInput, auctionStep, noAuctions } from './auctions';
import { fromPrebid, prebidEvents } from './fromPrebid';
import type { Prebid, PrebidAuction, PrebidBid, PrebidEventType } from './pbjs';
import { takesBidders } from './version';

/**
 * What a page or project may give `permutive.addon('prebid', …)`, and what Prebid's module is told (contract: storage).
 */
const PrebidOptions = object(
  'a config of Prebid',
  shape({
    /**
     * Bidders that get the visitor's cohorts. Prebid's own module reads the list from the SDK where the page names none
     * itself.
     */
    acBidders: list(AnyString),
  }),
);
export type PrebidOptions = TypeOf<typeof PrebidOptions>;

/** Local storage key where Prebid's module finds the config of the last page, before the SDK has loaded. */
const configKey = localKeys.prebidConfig;

/**
 * Tells Prebid's module which bidders get cohorts, and tracks auctions and bids (spec C§3, S§4). The project's bidders
 * are published even where the page never starts the addon; auctions are tracked only once it does.
 */
export const prebid: Addon<PrebidOptions> = {
  name: 'prebid',
  autoInit: false,
  options: optionsOf({ acBidders: [list(AnyString), []] }),
  run: (streams, options$, deps) =>
    merge(
      // Prebid's module asks for the bidders in any case (docs/decisions/017-prebid.md).
      defer(() =>
        exposeBidders(
          prebid.options(deps.configured, () => undefined),
          undefined,
          deps,
        ),
      ),
      options$.pipe(
        // switchMap: another start replaces the one before.
        switchMap((options) =>
          merge(
            exposeBidders(options, undefined, deps),
            fromPrebid(streams, deps, 'Failed to resolve key').pipe(
              mergeMap((pbjs) => merge(exposeBidders(options, pbjs, deps), auctions(pbjs, deps))),
            ),
          ),
        ),
      ),
    ),
};

/**
 * Publishes the bidders, as a method on `permutive.addons.prebid` and in local storage. Versions of Prebid before 7.13
 * get an empty list (spec S§5). Emits nothing.
 */
const exposeBidders = (
  { acBidders }: PrebidOptions,
  pbjs: Prebid | undefined,
  { expose, readKey, writeKey }: AddonDeps,
): Observable<never> =>
  perform(() => {
    // The version is unknown until Prebid has loaded, and is then taken to be new enough.
    const config = { acBidders: takesBidders(pbjs?.version) ? acBidders : [] };
    // Prebid's module is told what is stored: nothing is, while the visitor objects to sharing.
    expose({
      getPermutiveRtdConfig: () => readOr(PrebidOptions, readKey(configKey), { acBidders: [] }, () => undefined),
    });
    if (config.acBidders.length > 0 || readKey(configKey) !== null) writeKey(configKey, config);
  });

/**
 * Tracks PrebidAuctions for a sample of the auctions, and PrebidBid for each winning bid. An error ends both, after a
 * report.
 */
const auctions = (pbjs: Prebid, { random, setting, report }: AddonDeps): Observable<EventDraft> => {
  const rendered = (
    type: PrebidEventType,
    isWinning: (bid: PrebidBid & { readonly status?: string }) => boolean,
  ): Observable<AuctionInput> =>
    prebidEvents(pbjs, type).pipe(
      mergeMap(({ bid }) =>
        bid === undefined ? [] : [{ type: 'rendered' as const, bid, isWinning: isWinning(bid), chance: random() }],
      ),
    );
  return merge<AuctionInput[]>(
    prebidEvents<PrebidAuction>(pbjs, 'auctionEnd').pipe(map((auction) => ({ type: 'ended', auction }))),
    rendered('adRenderSucceeded', () => true),
    // A bid that was chosen for rendering has won, even if its ad then failed to render.
    rendered('adRenderFailed', ({ status }) => status === 'rendered'),
  ).pipe(
    scan(
      auctionStep(() => setting('prebidAuctionsRandomDownsamplingThreshold')),
      noAuctions,
    ),
    mergeMap(({ drafts }) => drafts),
    isolate('Prebid auctions could not be read', report),
  );
};
