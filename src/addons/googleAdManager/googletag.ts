/**
 * The part of Google Publisher Tag that the SDK uses, by its documented names. Everything is optional: older tags lack
 * `setConfig`, newer ones may drop `setTargeting`, and a page may define the object before the tag has loaded.
 */
export interface Googletag {
  /** Queue of commands that the tag runs once it has loaded, or at once. */
  readonly cmd?: { readonly push: (command: () => void) => unknown };
  /** Changes settings of the page. Targeting is merged, and null clears a key; signals are replaced or cleared. */
  readonly setConfig?: (config: { readonly targeting: Targeting } | { readonly pps: ProvidedSignals | null }) => void;
  /** The page-level targeting of this moment. */
  readonly getConfig?: (key: 'targeting') => { readonly targeting?: Targeting | null };
  /** The service for ads. The service has the slots, their events and the older targeting methods. */
  readonly pubads?: () => Pubads;
}

/** The service for ads of Google's tag, with the slots and the older methods of targeting. */
export interface Pubads {
  /** Sets one key of the page-level targeting; `getTargeting` and `clearTargeting` read and clear it. */
  readonly setTargeting?: (key: string, value: string | readonly string[]) => unknown;
  readonly getTargeting?: (key: string) => readonly string[];
  /** Clears one key; without a key, all of them. */
  readonly clearTargeting?: (key?: string) => unknown;
  readonly getSlots?: () => readonly GoogleSlot[];
  /** Listens to one type of event of all slots. */
  readonly addEventListener?: (type: SlotEventType, listener: (event: SlotEvent) => void) => unknown;
  readonly removeEventListener?: (type: SlotEventType, listener: (event: SlotEvent) => void) => unknown;
}

/** A place for an ad on the page. The methods of a slot belong to the page and may throw. */
export interface GoogleSlot {
  /** The place at Google, such as `/1234567/sports`. */
  readonly getAdUnitPath: () => string;
  /** Id of the element that shows the ad. */
  readonly getSlotElementId: () => string;
  /** Keys of the slot's own targeting. Tags without this method have `getConfig`. */
  readonly getTargetingKeys?: () => readonly string[];
  readonly getTargeting?: (key: string) => readonly string[];
  readonly getConfig?: (key: 'targeting') => { readonly targeting?: Targeting | null };
  /** Address of the slot's ad request; not documented, and absent from many versions. */
  readonly getContentUrl?: () => string;
}

/** Publisher provided signals: by taxonomy of the IAB, ids of its entries. */
export interface ProvidedSignals {
  readonly taxonomies: Readonly<Record<string, { readonly values: readonly string[] }>>;
}

/** Key values of a page or a slot. Null clears a key. */
export type Targeting = Readonly<Record<string, string | readonly string[] | null>>;
/** The slot's request goes out; its ad was rendered, or none came; its ad became viewable by Google's measure. */
export type SlotEventType = 'slotRequested' | 'slotRenderEnded' | 'impressionViewable';

/** What Google's tag tells listeners. The ids are null or missing for empty slots and for backfill ads. */
export interface SlotEvent {
  readonly slot: GoogleSlot;
  readonly serviceName?: string;
  /** No ad came for the slot. */
  readonly isEmpty?: boolean;
  /** Width and height, or a word such as `fluid`. */
  readonly size?: readonly number[] | string | null;
  readonly advertiserId?: number | null;
  /** The order that the line item belongs to. */
  readonly campaignId?: number | null;
  readonly lineItemId?: number | null;
  readonly creativeId?: number | null;
}
