import type { Properties } from '../../model/event';
import type { PageMessage } from '../../model/pageSignal';

/** Longest ad unit path that a message may name. Anybody may post one, so its size is bounded. */
const maxPathLength = 500;

/** Whether a message claims to be a click on an ad (spec S§7). The sender is still to be checked. */
export const isClickMessage = ({ data }: PageMessage): boolean => ownField(data, 'type') === 'google_ad_click';

/**
 * Ids of the clicked ad in the shape of events (spec S§3). A field that the message leaves out is left out here too.
 * Undefined where the path or any id is malformed.
 */
export const clickedIds = ({ data }: PageMessage): Properties | undefined => {
  const path = ownField(data, 'ad_unit_path');
  const ids = {
    creative_id: adIdOf(ownField(data, 'creative_id')),
    advertiser_id: adIdOf(ownField(data, 'advertiser_id')),
    campaign_id: adIdOf(ownField(data, 'order_id')),
    line_item_id: adIdOf(ownField(data, 'line_item_id')),
  };
  if (typeof path !== 'string' || path.length > maxPathLength || Object.values(ids).includes(undefined))
    return undefined;
  // For ids that are left out, the slot's rendered ad is used instead.
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null));
};

/** A field of the message itself; fields of its prototypes do not count. */
const ownField = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, name)
    ? (data as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** An id as a number; Google's macros give it as text. Null: not given. Undefined: the id is malformed. */
const adIdOf = (value: unknown): number | null | undefined => {
  if (value === undefined || value === null) return null;
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) && (id as number) >= 0 ? (id as number) : undefined;
};
