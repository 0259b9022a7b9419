import type { EventDraft, Properties } from '../../model/event';
import type { PrebidAuction, PrebidBid } from '../adServer/pbjs';
import { picked } from '../adServer/picked';

/** An ad of an auction was rendered or failed to. */
interface RenderedAd {
  readonly type: 'rendered';
  readonly bid: PrebidBid;
  readonly isWinning: boolean;
  /** A random number from 0 up to 1. The chance of the first ad decides whether the auction is in the sample. */
  readonly chance: number;
}

/**
 * What the auctions come to: an auction has ended; one of its ads was rendered; `waited`, the other ads of its auction
 * had their time since that ad was rendered; the page exits.
 */
export type AuctionInput =
  | { readonly type: 'ended'; readonly auction: PrebidAuction }
  | RenderedAd
  | { readonly type: 'waited'; readonly bid: PrebidBid }
  | { readonly type: 'exit' };

/** An auction that has ended and was not tracked yet. */
interface StagedAuction {
  readonly auction: PrebidAuction;
  /** The ads of the auction, in the order in which they were rendered. */
  readonly rendered: readonly RenderedAd[];
}

/** The state of all auctions on the page, and the events that the last input led to. */
export interface AuctionState {
  /** Auctions that wait for their ads, oldest first. */
  readonly staged: readonly StagedAuction[];
  /** Keys of the bids that were tracked, oldest first. */
  readonly tracked: readonly string[];
  readonly drafts: readonly EventDraft[];
}

/** The state before the first auction. */
export const noAuctions: AuctionState = { staged: [], tracked: [], drafts: [] };

/** Auctions whose ads are never shown are forgotten, the oldest first. */
const maxStaged = 20;
/** Bids that are remembered as tracked; the oldest bids are forgotten. */
export const maxTracked = 500;

/**
 * One step (spec S§4). An auction is staged when it ends. Once an ad of each of its units with a bid has rendered or
 * failed to, the auction is cleared, and tracked if its chance reaches the threshold. The same holds for an auction
 * with at least one such ad when the wait since its first ad is over, and when the page exits. A winning bid with a
 * price is tracked once, as soon as its ad has rendered. Pure.
 */
export const auctionStep =
  (threshold: () => number) =>
  ({ staged, tracked }: AuctionState, input: AuctionInput): AuctionState => {
    if (input.type === 'ended')
      return { staged: [...staged, { auction: input.auction, rendered: [] }].slice(-maxStaged), tracked, drafts: [] };
    const now = input.type === 'rendered' ? withAd(staged, input) : staged;
    const done = now.filter((entry) => isDone(entry, input));
    const bid = input.type === 'rendered' ? newWinner(input, tracked) : undefined;
    return {
      staged: now.filter((entry) => !done.includes(entry)),
      tracked: bid ? [...tracked, winnerKey(bid)].slice(-maxTracked) : tracked,
      drafts: [
        ...done
          .filter(({ rendered: [first] }) => (first?.chance ?? 0) >= threshold())
          .map((entry) => ({ name: 'PrebidAuctions', properties: { auctions: [auctionProperties(entry)] } })),
        ...(bid ? [{ name: 'PrebidBid', properties: { auction_id: bid.auctionId, ...bidProperties(bid, true) } }] : []),
      ],
    };
  };

const withAd = (staged: readonly StagedAuction[], ad: RenderedAd): readonly StagedAuction[] =>
  staged.map((entry) =>
    entry.auction.auctionId === ad.bid.auctionId ? { ...entry, rendered: [...entry.rendered, ad] } : entry,
  );

/** Whether the input ends the wait for the ads of an auction. An auction without an ad goes on waiting. */
const isDone = ({ auction, rendered }: StagedAuction, input: AuctionInput): boolean => {
  const [first] = rendered;
  if (first === undefined) return false;
  // Only the wait since the first ad counts.
  if (input.type === 'waited') return input.bid === first.bid;
  const shown = new Set(rendered.map(({ bid }) => bid.adUnitCode));
  return input.type === 'exit' || (auction.bidsReceived ?? []).every(({ adUnitCode }) => shown.has(adUnitCode));
};

/** The bid of an ad, if it has won, has a price and was not tracked yet. */
const newWinner = ({ bid, isWinning }: RenderedAd, tracked: readonly string[]): PrebidBid | undefined =>
  isWinning && (bid.cpm ?? 0) > 0 && !tracked.includes(winnerKey(bid)) ? bid : undefined;

const winnerKey = (bid: PrebidBid): string => `${bidKey(bid)},true`;

/** Tells a bid apart from others of the page. */
export const bidKey = ({ adUnitCode, adId, auctionId }: PrebidBid): string => [adUnitCode, adId, auctionId].join();

/** Bids of an auction that are told, at most. An event has no room for more. */
const maxBids = 1000;

/** An auction as its event has it: all bids, and the bidders that made none. */
const auctionProperties = ({ auction, rendered }: StagedAuction): Properties => ({
  ...picked(auction, {
    auction_id: 'auctionId',
    timestamp: 'timestamp',
    auction_end: 'auctionEnd',
    timeout: 'timeout',
    ad_units: 'adUnitCodes',
  }),
  bids: (auction.bidsReceived ?? []).slice(0, maxBids).map((received) =>
    bidProperties(
      received,
      rendered.some(({ bid, isWinning }) => isWinning && bid.adId === received.adId),
    ),
  ),
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
