import type { Messages } from '../messages';
import type { Answer } from './adServer';
import type { Listeners } from './listeners';
import type { TargetingTable } from './targeting';

/** Settings that the page has and that a slot may have otherwise. */
export interface Settings {
  readonly targeting: TargetingTable;
  safeFrame: googletag.config.SafeFrameConfig;
  collapseDiv: googletag.config.CollapseDivBehavior | null;
}

/** A defined slot. */
export interface AdSlot extends Settings {
  readonly api: googletag.Slot;
  readonly id: string;
  readonly adUnitPath: string;
  /** In CSS pixels. Empty for a slot that is fluid only. */
  readonly sizes: readonly (readonly [width: number, height: number])[];
  isDisplayed: boolean;
  /** An ad has been asked for since the slot was defined or cleared. */
  isFetched: boolean;
  /** Counts requests, so that an answer that comes too late is known as such. */
  request: number;
  /** An answer that waits for `display`, or until the slot comes near. */
  waiting: Answer | undefined;
  response: googletag.ResponseInformation | null;
  /** Ends what watches the slot's element. */
  readonly watches: (() => void)[];
}

/** All that the tag knows. */
export interface TagState extends Settings {
  readonly messages: Messages;
  readonly listeners: Listeners;
  /** Slots in the order in which they were defined. */
  readonly defined: AdSlot[];
  /** Slots in the order in which they were added to the service. */
  readonly associated: AdSlot[];
  isEnabled: boolean;
  isInitialLoadDisabled: boolean;
  isSingleRequest: boolean;
  lazyLoad: googletag.config.LazyLoadConfig | null;
  correlator: number;
  ppid: string | undefined;
}

/** The element of a slot; null where it is not in the document. */
export const elementOf = ({ id }: AdSlot): HTMLElement | null => document.getElementById(id);

/** How slots without an ad collapse, in the words of `setConfig`. */
export const collapseOf = (isBeforeFetch: boolean): googletag.config.CollapseDivBehavior =>
  isBeforeFetch ? 'BEFORE_FETCH' : 'ON_NO_FILL';

/** Another page view, as the ad server sees it. */
export const newCorrelator = (): number => Math.floor(Math.random() * 2 ** 52);

/** Ends all watches of a slot's element. */
export const unwatch = ({ watches }: AdSlot): void => {
  for (const end of watches.splice(0)) end();
};
