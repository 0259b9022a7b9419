import { guarded, type Messages } from '../messages';

/** An ad as events tell of it. */
export interface AdObject {
  readonly targetId: string;
  readonly tagId: number;
  readonly auctionId: string;
  readonly adType: 'banner' | 'native';
  readonly source: 'rtb';
  readonly cpm: number;
  readonly cpm_publisher_currency: number;
  readonly publisher_currency_code: string;
  readonly isExclusive: boolean;
  readonly isRoadblock: boolean;
  readonly buyerMemberId: number;
  readonly creativeId: number;
  readonly banner?: { readonly width: number; readonly height: number; readonly content: string };
  readonly native?: { readonly title: string; readonly body: string; readonly clickUrl: string };
}
export interface NoBid {
  readonly auctionId: string;
  readonly nobid: true;
  readonly tagId: number;
}
export interface AdError {
  readonly code: number;
  readonly errMessage: string;
  readonly exception: unknown;
  readonly targetId: string;
}

/** By the name of each event, what its listeners are given. */
export interface AdEvents {
  readonly adRequested: readonly [];
  readonly adAvailable: readonly [AdObject];
  readonly adLoaded: readonly [AdObject];
  readonly adNoBid: readonly [NoBid];
  readonly adBadRequest: readonly [AdError];
  readonly adRequestFailure: readonly [AdError];
  readonly adError: readonly [AdError, AdObject];
  readonly adCollapse: readonly [];
}

/** Those who listen to the tag: to one placement, or to all. */
export interface AdListeners {
  readonly onEvent: (type: string, targetId: unknown, listener?: unknown) => void;
  readonly offEvent: (type: string, targetId?: string) => void;
  readonly emit: <Type extends keyof AdEvents>(type: Type, targetId: string, ...given: AdEvents[Type]) => void;
}

const types: Readonly<Record<keyof AdEvents, true>> = {
  adRequested: true,
  adAvailable: true,
  adLoaded: true,
  adNoBid: true,
  adBadRequest: true,
  adRequestFailure: true,
  adError: true,
  adCollapse: true,
};

export const adListeners = (messages: Messages): AdListeners => {
  let heard: readonly (readonly [
    type: string,
    targetId: string | undefined,
    listener: (...given: unknown[]) => void,
  ])[] = [];
  return {
    // The id may be left out: the listener then stands in its place.
    onEvent: (type, targetId, listener = targetId) => {
      if (!Object.hasOwn(types, type) || typeof listener !== 'function') messages.warn(`No event is named ${type}`);
      else heard = [...heard, [type, typeof targetId === 'string' ? targetId : undefined, listener as () => void]];
    },
    offEvent: (type, targetId) => {
      heard = heard.filter(([wanted, id]) => wanted !== type || (targetId !== undefined && id !== targetId));
    },
    emit: (type, targetId, ...given) => {
      for (const [wanted, id, listener] of heard)
        if (wanted === type && (id === undefined || id === targetId)) guarded(messages, () => listener(...given));
    },
  };
};
