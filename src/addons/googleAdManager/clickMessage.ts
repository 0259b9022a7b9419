import type { Properties } from '../../model/event';
import type { PageMessage } from '../../model/pageSignal';

const maxPathLength = 500;

/** A click that a creative has told the page of; who sent it is still to be checked. */
export const isClickMessage = ({ data }: PageMessage): boolean => ownField(data, 'type') === 'google_ad_click';

/**
 * Ids of the ad that was clicked, as events have them (spec S§3); undefined where the message is not what it should be.
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
  // What the message leaves open is as the slot was rendered.
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null));
};

const ownField = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, name)
    ? (data as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** Google's macros give numbers as text. Null: not given; undefined: no id. */
const adIdOf = (value: unknown): number | null | undefined => {
  if (value === undefined || value === null) return null;
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) && (id as number) >= 0 ? (id as number) : undefined;
};
