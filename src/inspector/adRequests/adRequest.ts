/** One request for an ad, as far as somebody can see the request from where they look. */
export interface AdRequest {
  readonly partner: 'google' | 'appnexus' | 'prebid';
  /** The name of the ad server; where Prebid asks, the code of the bidder. */
  readonly bidder: string;
  /** The ad unit, tag or place; empty where the request does not say. */
  readonly slot: string;
  /** When the request began, in ms since the navigation began. */
  readonly at: number;
  /** The cohort codes in the request; undefined where its body cannot be seen. */
  readonly codes: readonly string[] | undefined;
}

/** What the SDK knows for the partner of a request. */
export interface KnownCodes {
  /** Codes that were stored when the page began. */
  readonly before: readonly string[];
  /** Codes that are stored now. */
  readonly now: readonly string[];
}

/** A request and what it lacks of the codes that the SDK knows at the end. */
export interface AdRequestRow extends AdRequest {
  /** Whether the page has made no earlier request to that bidder for that slot. */
  readonly isFirst: boolean;
  /** Codes that were stored when the page began, so that the request could have carried them. */
  readonly missing: readonly string[];
  /** Codes of cohorts that the visitor has entered on this page, and that the request does not have. */
  readonly entered: readonly string[];
}

/** The table of ad requests in the order of time. `known` answers what the SDK knows for the partner of a request. */
export const adRequestRows = (
  requests: readonly AdRequest[],
  known: (request: AdRequest) => KnownCodes,
): readonly AdRequestRow[] => {
  const seen = new Set<string>();
  return [...requests]
    .sort((a, b) => a.at - b.at)
    .map((request) => {
      const { partner, bidder, slot, codes } = request;
      const key = [partner, bidder, slot].join('\n');
      const isFirst = !seen.has(key);
      seen.add(key);
      const { before, now } = known(request);
      const lacking = codes === undefined ? [] : now.filter((code) => !codes.includes(code));
      return {
        ...request,
        isFirst,
        missing: lacking.filter((code) => before.includes(code)),
        entered: lacking.filter((code) => !before.includes(code)),
      };
    });
};
