import type { EventDraft, Properties } from '../../model/event';
import { picked } from '../adServer/picked';
import type { PrebidAuction, PrebidBid } from './pbjs';

/**
 * What Prebid has told: an auction has ended, or an ad was rendered or failed to. `chance` is a random number from 0 up
 * to 1, which decides whether the auction is in the sample.
 */
export type AuctionInput =
  | { readonly type: 'ended'; readonly auction: PrebidAuction }
  | { readonly type: 'rendered'; readonly bid: PrebidBid; readonly isWinning: boolean; readonly chance: number };

/** The state of all auctions on the page, and the events that the last input led to. */
export interface AuctionState {
  /** Auctions that have ended and of which no ad was rendered yet, oldest first. */
  readonly staged: readonly PrebidAuction[];
  /** Keys of the bids that were tracked, oldest first. */
  readonly tracked: readonly string[];
  readonly drafts: readonly EventDraft[];
}

/** The state before the first auction. */
export const noAuctions: AuctionState = { staged: [], tracked: [], drafts: [] };

/** Bounds of the state. Auctions whose ads are never shown, and the oldest tracked bids, are forgotten. */
const [maxStaged, maxTracked] = [20, 500];

/**
 * One step (spec S§4). An auction is staged when it ends. When one of its ads has rendered or failed to, it is cleared,
 * and tracked if its chance reaches the threshold. A winning bid with a price is tracked once. Pure.
 */
export const auctionStep =
  (threshold: () => number) =>
  ({ staged, tracked }: AuctionState, input: AuctionInput): AuctionState => {
    if (input.type === 'ended') return { staged: [...staged, input.auction].slice(-maxStaged), tracked, drafts: [] };
    const { bid, isWinning, chance } = input;
    const auction = staged.find(({ auctionId }) => auctionId === bid.auctionId);
    const key = `${bidKey(bid)},${isWinning}`;
    const isNew = isWinning && (bid.cpm ?? 0) > 0 && !tracked.includes(key);
    return {
      staged: staged.filter((other) => other !== auction),
      tracked: isNew ? [...tracked, key].slice(-maxTracked) : tracked,
      drafts: [
        ...(auction && chance >= threshold()
          ? [{ name: 'PrebidAuctions', properties: { auctions: [auctionProperties(auction, input)] } }]
          : []),
        ...(isNew
          ? [{ name: 'PrebidBid', properties: { auction_id: bid.auctionId, ...bidProperties(bid, true) } }]
          : []),
      ],
    };
  };

/** Tells a bid apart from others of the page. */
export const bidKey = ({ adUnitCode, adId, auctionId }: PrebidBid): string => [adUnitCode, adId, auctionId].join();

/** Bids of an auction that are told, at most. An event has no room for more. */
const maxBids = 1000;

/** An auction as its event has it: all bids, and the bidders that made none. */
const auctionProperties = (
  auction: PrebidAuction,
  { bid, isWinning }: Extract<AuctionInput, { type: 'rendered' }>,
): Properties => ({
  ...picked(auction, {
    auction_id: 'auctionId',
    timestamp: 'timestamp',
    auction_end: 'auctionEnd',
    timeout: 'timeout',
    ad_units: 'adUnitCodes',
  }),
  bids: (auction.bidsReceived ?? [])
    .slice(0, maxBids)
    .map((received) => bidProperties(received, isWinning && received.adId === bid.adId)),
  no_bids: (auction.noBids ?? [])
    .slice(0, maxBids)
    .map((silent) => picked(silent, { bidder: 'bidder', ad_unit_code: 'adUnitCode' })),
});

/** A bid as events have it; null where Prebid gives no value. */
export const bidProperties = (bid: PrebidBid, isWinning: boolean): Properties => ({
  ...picked(bid, {
    ad_unit_code: 'adUnitCode',
    ad_id: 'adId',
    bidder: 'bidder',
    cpm: 'cpm',
    currency: 'currency',
    width: 'width',
    height: 'height',
    media_type: 'mediaType',
    creative_id: 'creativeId',
    deal_id: 'dealId',
    time_to_respond: 'timeToRespond',
  }),
  ...picked(bid.meta ?? {}, {
    advertiser_id: 'advertiserId',
    advertiser_name: 'advertiserName',
    advertiser_domains: 'advertiserDomains',
  }),
  is_winning: isWinning,
});
