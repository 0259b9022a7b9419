import type { EventDraft, Properties } from '../../model/event';
import { picked } from '../adServer/picked';
import type { PrebidAuction, PrebidBid } from './pbjs';

/** What Prebid says happened; `chance`: of this auction, from 0 up to 1. */
export type AuctionInput =
  | { readonly type: 'ended'; readonly auction: PrebidAuction }
  | { readonly type: 'rendered'; readonly bid: PrebidBid; readonly isWinning: boolean; readonly chance: number };

/**
 * Auctions that have ended and shown nothing yet, bids that have been told of, and the events that the last input led
 * to.
 */
export interface AuctionState {
  readonly staged: readonly PrebidAuction[];
  readonly tracked: readonly string[];
  readonly drafts: readonly EventDraft[];
}

export const noAuctions: AuctionState = { staged: [], tracked: [], drafts: [] };

/** Auctions whose ads are never shown, and bids told of long ago, are forgotten. */
const [maxStaged, maxTracked] = [20, 500];

/**
 * One step (spec S§4): an auction is staged when it ends, and tracked and cleared when an ad of it has rendered or
 * failed to; only those whose chance reaches the threshold. A winning bid that pays is tracked once. Pure.
 */
export const auctionStep =
  (threshold: () => number) =>
  ({ staged, tracked }: AuctionState, input: AuctionInput): AuctionState => {
    if (input.type === 'ended') return { staged: [...staged, input.auction].slice(-maxStaged), tracked, drafts: [] };
    const { bid, isWinning, chance } = input;
    const auction = staged.find(({ auctionId }) => auctionId === bid.auctionId);
    const key = [bid.adUnitCode, bid.adId, bid.auctionId, isWinning].join();
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
  bids: (auction.bidsReceived ?? []).map((received) =>
    bidProperties(received, isWinning && received.adId === bid.adId),
  ),
  no_bids: (auction.noBids ?? []).map((silent) => picked(silent, { bidder: 'bidder', ad_unit_code: 'adUnitCode' })),
});

const bidProperties = (bid: PrebidBid, isWinning: boolean): Properties => ({
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
