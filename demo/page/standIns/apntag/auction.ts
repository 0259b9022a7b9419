import type { AdError, AdObject, NoBid } from './events';
import { type Keywords, type PageOpts, sizesOf, type Tag } from './tags';

/** A placement that was sold, and on which keywords. */
export interface Sold {
  readonly type: 'ad';
  readonly ad: AdObject;
  readonly keywords: Keywords;
}

/** The end of an auction for one placement. */
export type Outcome =
  | Sold
  | { readonly type: 'noBid'; readonly noBid: NoBid }
  | { readonly type: 'badRequest'; readonly error: AdError }
  | { readonly type: 'failure'; readonly error: AdError };

/** Placements by which a page tries what is rare: one that does not exist, one without bids, one without an answer. */
export const rarePlacements = { missing: 404, unsold: 204, failing: 503 } as const;

let auctions = 0;

/** Sells one placement by the keywords of this moment, those of the page and its own. */
export const auction = (tag: Tag, page: PageOpts): Outcome => {
  const { targetId, tagId = 0, allowedFormats } = tag;
  const keywords = { ...page.keywords, ...tag.keywords };
  const auctionId = String(7_000_000 + (auctions += 1));
  const errorOf = (errMessage: string): AdError => ({
    code: 0,
    errMessage,
    exception: new Error(errMessage),
    targetId,
  });
  if (tagId === rarePlacements.missing) return { type: 'badRequest', error: errorOf('No such placement') };
  if (tagId === rarePlacements.failing) return { type: 'failure', error: errorOf('No answer') };
  if (tagId === rarePlacements.unsold) return { type: 'noBid', noBid: { auctionId, nobid: true, tagId } };
  const [[width = 0, height = 0] = []] = sizesOf(tag) ?? [];
  const isNative = allowedFormats?.[0] === 'native';
  const ad: AdObject = {
    targetId,
    tagId,
    auctionId,
    adType: isNative ? 'native' : 'banner',
    source: 'rtb',
    cpm: 1.2,
    cpm_publisher_currency: 1.1,
    publisher_currency_code: '$',
    isExclusive: false,
    isRoadblock: false,
    buyerMemberId: 958,
    creativeId: 98012,
    ...(isNative
      ? { native: { title: 'An advertisement in words', body: 'The page puts it together.', clickUrl: '/out' } }
      : { banner: { width, height, content: '<!-- a creative of the stand-in -->' } }),
  };
  return { type: 'ad', ad, keywords };
};
