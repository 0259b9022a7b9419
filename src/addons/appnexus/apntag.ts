/** The part of the AppNexus seller tag that we use, by its documented names. */
export interface Apntag {
  /** A listener is never removed, because `offEvent` would remove the page's listeners too. */
  readonly onEvent?: (type: string, listener: (ad: AppNexusAd) => void) => unknown;
  readonly setKeywords?: (
    targetId: string,
    keywords: Readonly<Record<string, readonly string[]>>,
    options: { readonly overrideKeyValue: boolean },
  ) => unknown;
  /** All tags by their target. */
  readonly getTag?: () => Readonly<Record<string, { readonly keywords?: unknown } | undefined>> | undefined;
}

/** An ad as the seller tag describes it; banners may have their size apart. */
export interface AppNexusAd {
  readonly targetId?: string;
  readonly tagId?: number;
  readonly width?: number;
  readonly height?: number;
  readonly banner?: { readonly width?: number; readonly height?: number };
  readonly adType?: string;
  readonly source?: string;
  readonly creativeId?: number;
  readonly auctionId?: string;
  readonly buyerMemberId?: number;
  readonly brandCategoryId?: number;
  readonly mediaTypeId?: number;
  readonly mediaSubtypeId?: number;
}

/** The seller tag once it has loaded, and the ads that the page's snippet saw before us. */
export interface ApntagOnPage {
  readonly tag: Apntag;
  readonly seen: { readonly eventType?: string; readonly arg?: AppNexusAd }[];
}
