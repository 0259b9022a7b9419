/**
 * The part of Google Publisher Tag that we use, by its documented names. Older tags lack `setConfig`, newer ones may
 * drop `setTargeting`.
 */
export interface Googletag {
  readonly cmd?: { readonly push: (command: () => void) => unknown };
  readonly setConfig?: (config: { readonly targeting: Targeting }) => void;
  readonly getConfig?: (key: 'targeting') => { readonly targeting?: Targeting | null };
  readonly pubads?: () => Pubads;
}

export interface Pubads {
  readonly setTargeting?: (key: string, value: string | readonly string[]) => unknown;
  readonly getTargeting?: (key: string) => readonly string[];
  readonly clearTargeting?: (key: string) => unknown;
  readonly getSlots?: () => readonly GoogleSlot[];
  readonly addEventListener?: (type: SlotEventType, listener: (event: SlotEvent) => void) => unknown;
  readonly removeEventListener?: (type: SlotEventType, listener: (event: SlotEvent) => void) => unknown;
}

export interface GoogleSlot {
  readonly getAdUnitPath: () => string;
  readonly getSlotElementId: () => string;
  readonly getTargetingKeys?: () => readonly string[];
  readonly getTargeting?: (key: string) => readonly string[];
  readonly getConfig?: (key: 'targeting') => { readonly targeting?: Targeting | null };
  /** Address of the slot's ad request; not documented, and absent from many versions. */
  readonly getContentUrl?: () => string;
}

export type Targeting = Readonly<Record<string, string | readonly string[] | null>>;
export type SlotEventType = 'slotRequested' | 'slotRenderEnded' | 'impressionViewable';

export interface SlotEvent {
  readonly slot: GoogleSlot;
  readonly serviceName?: string;
  readonly isEmpty?: boolean;
  /** Width and height, or a word such as `fluid`. */
  readonly size?: readonly number[] | string | null;
  readonly advertiserId?: number | null;
  readonly campaignId?: number | null;
  readonly lineItemId?: number | null;
  readonly creativeId?: number | null;
}
