/**
 * The part of Prebid.js that the SDK uses, by its documented names. Everything is optional, because pages load
 * different versions.
 */
export interface Prebid {
  /** Such as `v11.36.0`. */
  readonly version?: string;
  /**
   * One topic of the settings, as Prebid has it; not to be changed. With a listener, which is called whenever anybody
   * has set the topic, it answers the function that removes the listener.
   */
  readonly getConfig?: (topic: 'ortb2', listener?: () => void) => unknown;
  /** Replaces topics of the settings. `ortb2` is what each bid request says of site and visitor. */
  readonly setConfig?: (config: { readonly ortb2: object }) => unknown;
  /** Adds a listener; `offEvent` removes it. What a listener gets depends on the type. */
  readonly onEvent?: (type: PrebidEventType, listener: (event: never) => void) => unknown;
  readonly offEvent?: (type: PrebidEventType, listener: (event: never) => void) => unknown;
}

/** An auction has ended; the ad of a bid was rendered; it could not be rendered; the ad server has got the bids. */
export type PrebidEventType = 'auctionEnd' | 'adRenderSucceeded' | 'adRenderFailed' | 'setTargeting';

/** An auction as Prebid describes it when it ends. Times are in ms. */
export interface PrebidAuction {
  readonly auctionId: string;
  readonly timestamp?: number;
  readonly auctionEnd?: number;
  readonly timeout?: number;
  /** The page's places for ads that were auctioned. */
  readonly adUnitCodes?: readonly string[];
  readonly bidsReceived?: readonly PrebidBid[];
  /** Bidders that were asked and made no bid. */
  readonly noBids?: readonly PrebidBid[];
}

/** A bid as Prebid describes it. Times are in ms. */
export interface PrebidBid {
  readonly adId?: string;
  readonly auctionId?: string;
  readonly adUnitCode?: string;
  readonly bidder?: string;
  /** The price of a thousand impressions, in `currency`. */
  readonly cpm?: number;
  readonly currency?: string;
  readonly width?: number;
  readonly height?: number;
  readonly mediaType?: string;
  readonly creativeId?: string | number;
  readonly dealId?: string;
  readonly timeToRespond?: number;
  /** Who advertises, as far as the bidder says. */
  readonly meta?: {
    readonly advertiserName?: string;
    readonly advertiserId?: string | number;
    readonly advertiserDomains?: readonly string[];
  };
}
