import type { EventDraft, Properties } from '../../model/event';
import { picked } from '../adServer/picked';
import type { DfpOptions } from './dfpOptions';
import type { GoogleSlot, SlotEvent, Targeting } from './googletag';

/** What happens to Google's slots, read off their objects. */
export type SlotInput =
  | { readonly type: 'rendered'; readonly id: string; readonly properties: Properties }
  | { readonly type: 'viewable'; readonly id: string; readonly properties: Properties }
  | { readonly type: 'clicked'; readonly id: string; readonly properties: Properties };

/** What the slots show, by element id, and the events that the last input led to. */
export interface SlotState {
  readonly shown: ReadonlyMap<string, Properties>;
  readonly drafts: readonly EventDraft[];
}

/** Made when it is needed: a browser without Map must get as far as saying so. */
export const noSlots = (): SlotState => ({ shown: new Map(), drafts: [] });

/** A page that scrolls for ever makes slots for ever. */
const maxShown = 100;

const eventOfInput = {
  rendered: ['SlotRendered', 'track_slot_rendered'],
  viewable: ['SlotViewable', 'track_slot_viewable'],
  clicked: ['SlotClicked', 'track_slot_clicked'],
} as const;

/** One step: an event of what the slot shows, as far as the options want it (spec S§3, S§9). Pure. */
export const slotStep =
  (options: DfpOptions) =>
  ({ shown }: SlotState, { type, id, properties: given }: SlotInput): SlotState => {
    // A click names its ad itself where it can; all else is as the slot was rendered.
    const properties = { ...shown.get(id), ...given };
    const [name, option] = eventOfInput[type];
    return {
      shown: type === 'rendered' ? new Map([...shown, [id, properties] as const].slice(-maxShown)) : shown,
      drafts: options[option] ? [{ name, properties }] : [],
    };
  };

/** A slot's properties as all its events have them. */
export const slotProperties = (slot: GoogleSlot, withKeys: boolean): Properties => ({
  slot: {
    ad_unit_path: slot.getAdUnitPath(),
    slot_element_id: slot.getSlotElementId(),
    targeting_keys: withKeys ? targetingKeys(slot) : [],
  },
});

/** What Google tells of an ad that was rendered. */
export const renderedProperties = (event: SlotEvent, now: number): Properties => {
  const [width = null, height = null] = Array.isArray(event.size) ? (event.size as readonly number[]) : [];
  return { ...picked(event, rendered), width, height, rendered_timestamp: now };
};

const rendered = {
  advertiser_id: 'advertiserId',
  campaign_id: 'campaignId',
  line_item_id: 'lineItemId',
  creative_id: 'creativeId',
  is_empty: 'isEmpty',
  service_name: 'serviceName',
} as const;

const targetingKeys = (slot: GoogleSlot): readonly { readonly key: string; readonly value: readonly string[] }[] => {
  const keys = slot.getTargetingKeys?.();
  const targeting: Targeting =
    keys === undefined
      ? (slot.getConfig?.('targeting').targeting ?? {})
      : Object.fromEntries(keys.map((key) => [key, slot.getTargeting?.(key) ?? []]));
  return Object.entries(targeting).map(([key, value]) => ({ key, value: [value ?? []].flat().map(String) }));
};
