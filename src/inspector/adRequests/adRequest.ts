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
  /** Whether the request says, by the mark `rts`, that the page has evaluated its codes. */
  readonly isRealtime?: boolean | undefined;
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
  /**
   * Codes that were stored when the page began, so that the request could have carried them. Codes that the page has
   * evaluated itself have taken the place of those, so such a request lacks none.
   */
  readonly missing: readonly string[];
  /** Codes of cohorts that the visitor has entered on this page since the request. */
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
      const { partner, bidder, slot, codes, isRealtime = false } = request;
      const key = [partner, bidder, slot].join('\n');
      const isFirst = !seen.has(key);
      seen.add(key);
      const { before, now } = known(request);
      const isMissing = (code: string): boolean => !isRealtime && before.includes(code);
      const lacking = codes === undefined ? [] : now.filter((code) => !codes.includes(code));
      return {
        ...request,
        isFirst,
        missing: lacking.filter(isMissing),
        entered: lacking.filter((code) => !isMissing(code)),
      };
    });
};
