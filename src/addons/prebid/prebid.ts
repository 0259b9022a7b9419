import { defer, filter, map, merge, mergeMap, type Observable, of, scan, switchMap, timer } from 'rxjs';

import { AnyRecord, AnyString, Anything, type Fields, list, object, readOr, shape, table } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';
import { ownEntry } from '../../hardening/ownFields';
import { keyToName } from '../../model/bidderCodes';
import type { EventDraft } from '../../model/event';
import { localKeys } from '../../model/storageKeys';
import { perform } from '../../operators/creators/perform';
import { isolate } from '../../operators/isolate';
import type { Addon, AddonDeps, AddonStreams } from '../addon';
import { fromPrebid, prebidEvents } from '../adServer/fromPrebid';
import type { Prebid, PrebidAuction, PrebidBid, PrebidEventType } from '../adServer/pbjs';
import { type AuctionInput, auctionStep, noAuctions } from './auctions';
import { takesBidders } from './version';

/** What a page or project may give `permutive.addon('prebid', …)`. */
export const prebidOptions = optionsOf({
  /**
   * Bidders that get the visitor's cohorts. Prebid's own module reads the list from the SDK where the page names none
   * itself.
   */
  acBidders: [list(AnyString), []],
  /** For Prebid's next module: places of a bid request beside its own, each by an id that `placement` names. */
  locations: [AnyRecord, {}],
  /** For Prebid's next module: by category of cohorts, the ids of the places where they go. */
  placement: [AnyRecord, {}],
  /** By bidder, where its own cohorts are stored (`customCohorts`) and a `placement` for it alone. */
  bidders: [table('bidders', AnyRecord), {}],
});
export type PrebidOptions = ReturnType<typeof prebidOptions>;

/** What Prebid's module `permutiveRtdProvider` asks for, as its own documentation names it. */
const RtdConfig = object(
  'a config of Prebid',
  shape({ acBidders: list(AnyString) }, { locations: Anything, placement: Anything, bidders: Anything }),
);

/** How long the other ads of an auction are waited for once its first one has rendered. */
const otherAdsMs = 2000;

/** Local storage key where Prebid's module finds the config of the last page, before the SDK has loaded. */
const configKey = localKeys.prebidConfig;

/**
 * Tells Prebid's module which bidders get cohorts, and tracks auctions and bids (spec C§3, S§4). The project's bidders
 * are published even where the page never starts the addon; auctions are tracked only once it does.
 */
export const prebid: Addon<PrebidOptions> = {
  name: 'prebid',
  autoInit: false,
  options: prebidOptions,
  run: (streams, options$, deps) =>
    merge(
      // Prebid's module asks for the bidders in any case (docs/decisions/017-prebid.md).
      defer(() =>
        exposeBidders(
          prebidOptions(deps.configured, () => undefined),
          undefined,
          deps,
        ),
      ),
      options$.pipe(
        // switchMap: another start replaces the one before.
        switchMap((options) =>
          merge(
            exposeBidders(options, undefined, deps),
            fromPrebid(streams, deps, (cause) => deps.report('Failed to resolve key', cause)).pipe(
              mergeMap((pbjs) => merge(exposeBidders(options, pbjs, deps), auctions(pbjs, streams, deps))),
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
  { acBidders, locations, placement, bidders: given }: PrebidOptions,
  pbjs: Prebid | undefined,
  { expose, readKey, writeKey }: AddonDeps,
): Observable<never> =>
  perform(() => {
    // The version is unknown until Prebid has loaded, and is then taken to be new enough.
    const named = takesBidders(pbjs?.version) ? acBidders : [];
    const bidders = bidderOptions(named, given);
    // What the definition leaves out is left to the module.
    const routes = Object.entries({ locations, placement, bidders }).filter(([, said]) => Object.keys(said).length > 0);
    const config = { acBidders: named, ...Object.fromEntries(routes) };
    // Prebid's module is told what is stored: nothing is, while the visitor objects to sharing.
    expose({
      getPermutiveRtdConfig: () => readOr(RtdConfig, readKey(configKey), { acBidders: [] }, () => undefined),
    });
    if (named.length > 0 || routes.length > 0 || readKey(configKey) !== null) writeKey(configKey, config);
  });

/**
 * What Prebid's module is told of single bidders: what the options say, and else where the codes of those are that the
 * module does not look for by itself.
 */
const bidderOptions = (acBidders: readonly string[], given: PrebidOptions['bidders']): Fields => {
  const named = acBidders.filter((name) => ownEntry(keyToName, name) !== undefined);
  return Object.fromEntries(
    [...named, ...Object.keys(given)].map((name) => [
      name,
      {
        ...(named.includes(name) && { customCohorts: { source: 'ls', key: ownEntry(keyToName, name) } }),
        ...ownEntry(given, name),
      },
    ]),
  );
};

/**
 * Tracks PrebidAuctions for a sample of the auctions, and PrebidBid for each winning bid. The ads of an auction render
 * one after another, so an auction is tracked when all of them have, 2 s after the first one, or at page exit. An error
 * ends both events, after a report.
 */
const auctions = (
  pbjs: Prebid,
  { pageExit$ }: Pick<AddonStreams, 'pageExit$'>,
  { random, setting, report }: AddonDeps,
): Observable<EventDraft> => {
  const rendered = (
    type: PrebidEventType,
    isWinning: (bid: PrebidBid & { readonly status?: string }) => boolean,
  ): Observable<AuctionInput> =>
    prebidEvents(pbjs, type).pipe(
      mergeMap(({ bid }) =>
        bid === undefined
          ? []
          : merge<AuctionInput[]>(
              of({ type: 'rendered', bid, isWinning: isWinning(bid), chance: random() }),
              timer(otherAdsMs).pipe(map(() => ({ type: 'waited', bid }))),
            ),
      ),
    );
  return merge<AuctionInput[]>(
    prebidEvents<PrebidAuction>(pbjs, 'auctionEnd').pipe(map((auction) => ({ type: 'ended', auction }))),
    rendered('adRenderSucceeded', () => true),
    // A bid that was chosen for rendering has won, even if its ad then failed to render.
    rendered('adRenderFailed', ({ status }) => status === 'rendered'),
    pageExit$.pipe(
      filter(({ step }) => step === 'beforeFlush'),
      map(() => ({ type: 'exit' })),
    ),
  ).pipe(
    scan(
      auctionStep(() => setting('prebidAuctionsRandomDownsamplingThreshold')),
      noAuctions,
    ),
    mergeMap(({ drafts }) => drafts),
    isolate('Prebid auctions could not be read', report),
  );
};
