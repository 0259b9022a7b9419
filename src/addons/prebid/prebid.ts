import { dequal } from 'dequal/lite';
import * as t from 'io-ts';
import { defer, EMPTY, fromEventPattern, map, merge, mergeMap, type Observable, scan, switchMap } from 'rxjs';

import type { EventDraft } from '../../model/event';
import { optionsOf } from '../../model/options';
import { localKeys } from '../../model/storageKeys';
import { isolate } from '../../operators/isolate';
import type { Addon, AddonDeps } from '../addon';
import { type AuctionInput, auctionStep, noAuctions } from './auctions';
import { fromPrebid } from './fromPrebid';
import type { Prebid, PrebidAuction, PrebidBid, PrebidEventType } from './pbjs';
import { takesBidders } from './version';

/** What a page or project may give `permutive.addon('prebid', …)`. */
export interface PrebidOptions {
  /**
   * Bidders that are told the visitor's cohorts: Prebid's own module reads them here, where the page does not name
   * others.
   */
  readonly acBidders: readonly string[];
}

/** Where Prebid's module finds the config of the last page, before we are there. */
const configKey = localKeys.prebidConfig;

/** Prebid: which bidders its module gives cohorts to, and what its auctions come to (spec C§3, S§4). */
export const prebid: Addon<PrebidOptions> = {
  name: 'prebid',
  autoInit: false,
  options: optionsOf<PrebidOptions>({ acBidders: [t.readonlyArray(t.string), []] }),
  run: (streams, options$, deps) =>
    merge(
      // What the project says holds whether the page starts us or not: Prebid does not ask who did.
      defer(() =>
        bidders(
          prebid.options(deps.configured, () => undefined),
          undefined,
          deps,
        ),
      ),
      options$.pipe(
        // switchMap: started again, it starts over.
        switchMap((options) =>
          merge(
            bidders(options, undefined, deps),
            fromPrebid(streams, deps).pipe(
              isolate('Failed to resolve key', deps.report),
              mergeMap((pbjs) => merge(bidders(options, pbjs, deps), auctions(pbjs, deps))),
            ),
          ),
        ),
      ),
    ),
};

const bidders = (
  { acBidders }: PrebidOptions,
  pbjs: Prebid | undefined,
  { expose, readKey, writeKey }: AddonDeps,
): Observable<never> =>
  defer(() => {
    const config = { acBidders: takesBidders(pbjs?.version) ? acBidders : [] };
    expose({ getPermutiveRtdConfig: () => ({ acBidders: [...config.acBidders] }) });
    if (!dequal(readKey(configKey) ?? { acBidders: [] }, config)) writeKey(configKey, config);
    return EMPTY;
  });

const auctions = (pbjs: Prebid, { random, setting, report }: AddonDeps): Observable<EventDraft> => {
  const heard = <E>(type: PrebidEventType): Observable<E> =>
    fromEventPattern(
      (listener) => pbjs.onEvent?.(type, listener),
      (listener) => pbjs.offEvent?.(type, listener),
    );
  const rendered = (
    type: PrebidEventType,
    isWinning: (bid: PrebidBid & { readonly status?: string }) => boolean,
  ): Observable<AuctionInput> =>
    heard<{ readonly bid?: PrebidBid }>(type).pipe(
      mergeMap(({ bid }) =>
        bid === undefined ? [] : [{ type: 'rendered' as const, bid, isWinning: isWinning(bid), chance: random() }],
      ),
    );
  return merge<AuctionInput[]>(
    heard<PrebidAuction>('auctionEnd').pipe(map((auction) => ({ type: 'ended', auction }))),
    rendered('adRenderSucceeded', () => true),
    // It won, and the page could not show it.
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
