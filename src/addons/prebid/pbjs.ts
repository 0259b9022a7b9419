/** The part of Prebid.js that we use, by its documented names. */
export interface Prebid {
  readonly version?: string;
  readonly onEvent?: (type: PrebidEventType, listener: (event: never) => void) => unknown;
  readonly offEvent?: (type: PrebidEventType, listener: (event: never) => void) => unknown;
}

export type PrebidEventType = 'auctionEnd' | 'adRenderSucceeded' | 'adRenderFailed';

export interface PrebidAuction {
  readonly auctionId: string;
  readonly timestamp?: number;
  readonly auctionEnd?: number;
  readonly timeout?: number;
  readonly adUnitCodes?: readonly string[];
  readonly bidsReceived?: readonly PrebidBid[];
  readonly noBids?: readonly PrebidBid[];
}

export interface PrebidBid {
  readonly adId?: string;
  readonly auctionId?: string;
  readonly adUnitCode?: string;
  readonly bidder?: string;
  readonly cpm?: number;
  readonly currency?: string;
  readonly width?: number;
  readonly height?: number;
  readonly mediaType?: string;
  readonly creativeId?: string | number;
  readonly dealId?: string;
  readonly timeToRespond?: number;
  readonly meta?: {
    readonly advertiserName?: string;
    readonly advertiserId?: string | number;
    readonly advertiserDomains?: readonly string[];
  };
}
