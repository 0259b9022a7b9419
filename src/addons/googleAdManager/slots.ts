import type { EventDraft, Properties } from '../../model/event';
import type { AddonDeps } from '../addon';
import { picked } from '../adServer/picked';
import type { DfpOptions } from './dfpOptions';
import type { GoogleSlot, Googletag, SlotEvent, Targeting } from './googletag';

/** The tag, the options and the effects that every source of slot events needs. */
export interface SlotSources {
  readonly googletag: Googletag;
  readonly options: DfpOptions;
  readonly deps: AddonDeps;
}

/**
 * What happened to one of Google's slots, with the properties that were read off its objects. `id` is the id of the
 * slot's element.
 */
export type SlotInput =
  | { readonly type: 'rendered'; readonly id: string; readonly properties: Properties }
  | { readonly type: 'viewable'; readonly id: string; readonly properties: Properties }
  | { readonly type: 'clicked'; readonly id: string; readonly properties: Properties };

/** The state of all slots, and the events that the last input led to. */
export interface SlotState {
  /** By element id, the properties of the ad that was rendered last. */
  readonly shown: ReadonlyMap<string, Properties>;
  readonly drafts: readonly EventDraft[];
}

/**
 * The state before any ad. A function and not a constant, because the script must load in a browser without `Map`, to
 * report that it cannot run there (spec C§5).
 */
export const noSlots = (): SlotState => ({ shown: new Map(), drafts: [] });

/** Slots that are remembered. A page of endless scrolling defines ever more of them; the oldest are forgotten. */
const maxShown = 100;

/** For each input, the event that it makes and the option that allows it. */
const eventOfInput = {
  rendered: ['SlotRendered', 'track_slot_rendered'],
  viewable: ['SlotViewable', 'track_slot_viewable'],
  clicked: ['SlotClicked', 'track_slot_clicked'],
} as const;

/** One step: remembers a rendered ad, and makes an event of the input if the options want it (spec S§3, S§9). Pure. */
export const slotStep =
  (options: DfpOptions) =>
  ({ shown }: SlotState, { type, id, properties: given }: SlotInput): SlotState => {
    // What the input says itself wins, such as the ids of a click message. The rest is as the slot's ad was rendered.
    const properties = { ...shown.get(id), ...given };
    const [name, option] = eventOfInput[type];
    return {
      shown: type === 'rendered' ? new Map([...shown, [id, properties] as const].slice(-maxShown)) : shown,
      drafts: options[option] ? [{ name, properties }] : [],
    };
  };

/** The properties of a slot that all of its events have. `withKeys`: its own targeting too. */
export const slotProperties = (slot: GoogleSlot, withKeys: boolean): Properties => ({
  slot: {
    ad_unit_path: slot.getAdUnitPath(),
    slot_element_id: slot.getSlotElementId(),
    targeting_keys: withKeys ? targetingKeys(slot) : [],
  },
});

/** The input for one slot: its own properties, and those that the event adds. */
export const slotInput = (
  { options }: SlotSources,
  type: SlotInput['type'],
  slot: GoogleSlot,
  properties = {},
): SlotInput => ({
  type,
  id: slot.getSlotElementId(),
  properties: { ...slotProperties(slot, options.track_targeting_keys), ...properties },
});

/**
 * The properties that a rendered ad adds. `now` is in ms since 1970. Width and height are null where the size is a
 * word.
 */
export const renderedProperties = (event: SlotEvent, now: number): Properties => {
  const [width = null, height = null] = Array.isArray(event.size) ? (event.size as readonly number[]) : [];
  return { ...picked(event, rendered), width, height, rendered_timestamp: now };
};

/** Properties of the ad in our events, and Google's names for them. */
const rendered = {
  advertiser_id: 'advertiserId',
  campaign_id: 'campaignId',
  line_item_id: 'lineItemId',
  creative_id: 'creativeId',
  is_empty: 'isEmpty',
  service_name: 'serviceName',
} as const;

/** The slot's own targeting as a list. Tags without `getTargetingKeys` are asked by `getConfig`. */
const targetingKeys = (slot: GoogleSlot): readonly { readonly key: string; readonly value: readonly string[] }[] => {
  const keys = slot.getTargetingKeys?.();
  const targeting: Targeting =
    keys === undefined
      ? (slot.getConfig?.('targeting').targeting ?? {})
      : Object.fromEntries(keys.map((key) => [key, slot.getTargeting?.(key) ?? []]));
  return Object.entries(targeting).map(([key, value]) => ({ key, value: [value ?? []].flat().map(String) }));
};
