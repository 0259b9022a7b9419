/**
 * The part of the AppNexus seller tag that we use, by its documented names.
 * https://learn.microsoft.com/en-us/xandr/seller-tag/ast-api-reference, read on 2026-11-24
 */
export interface Apntag {
  /** Read by `adEvents` only. A listener is never removed, because `offEvent` would remove the page's listeners too. */
  readonly onEvent?: (type: string, listener: (ad: AppNexusAd) => void) => unknown;
  /** Sets keywords of one tag. With `overrideKeyValue` they replace the former values of the same keys. */
  readonly setKeywords?: (
    targetId: string,
    keywords: Readonly<Record<string, readonly string[]>>,
    options: { readonly overrideKeyValue: boolean },
  ) => unknown;
  /** Defines a tag for an element, before the page can ask for an ad for it. */
  readonly defineTag?: (definition: object) => unknown;
  /** All defined tags, by the id of the element that they fill. */
  readonly getTag?: () => Readonly<Record<string, { readonly keywords?: unknown } | undefined>> | undefined;
}

/** An ad as the seller tag describes it. Every field may be missing, because the tag belongs to the page. */
export interface AppNexusAd {
  /** Id of the element that shows the ad. */
  readonly targetId?: string;
  /** The placement at AppNexus. */
  readonly tagId?: number;
  /** In CSS pixels, as is the height. Banners may have both under `banner` instead. */
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

/** The seller tag once it has loaded, and the events that the page's snippet has collected. */
export interface ApntagOnPage {
  readonly tag: Apntag;
  /**
   * The page's own array of events, to which its snippet may still add. Readers empty it, so that nothing counts twice.
   */
  readonly seen: { readonly eventType?: string; readonly arg?: AppNexusAd }[];
}
