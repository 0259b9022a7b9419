/* oxlint-disable typescript/no-deprecated -- pages still use the older calls, so the stand-in has them */
import { type AdSlot, collapseOf, type TagState } from './tagState';
import { type OlderCalls, targetingCalls, targetingOf, targetingTable } from './targeting';

/** The form of an ad unit path: network code, for a child network too, and at least one ad unit. */
const path = /^\/\d+(?:,\d+)?(?:\/[^/]+)+$/;

/**
 * Defines a slot. Null, with a message, where the path is none, or where the div has a slot already. A slot without a
 * div is left out: nothing documents which id it gets.
 */
export const defineSlot = (
  adUnitPath: unknown,
  size: googletag.GeneralSize,
  id: unknown,
  service: googletag.PubAdsService,
  state: TagState,
): AdSlot | null => {
  const { messages, defined } = state;
  if (typeof adUnitPath !== 'string' || !path.test(adUnitPath))
    messages.error(`Invalid ad unit path: ${String(adUnitPath)}`);
  else if (typeof id !== 'string' || id === '') messages.error(`${adUnitPath} has no div`);
  else if (defined.some((other) => other.id === id))
    messages.error(`Div ID is already associated with another slot: ${id}`);
  else {
    const slot = newSlot(adUnitPath, size, id, service, state);
    defined.push(slot);
    return slot;
  }
  return null;
};

const newSlot = (
  adUnitPath: string,
  size: googletag.GeneralSize,
  id: string,
  service: googletag.PubAdsService,
  state: TagState,
): AdSlot => {
  const api: Partial<googletag.Slot> = {};
  const slot: AdSlot = {
    api: api as googletag.Slot,
    id,
    adUnitPath,
    sizes: sizesOf(size),
    targeting: targetingTable(state.messages),
    safeFrame: {},
    collapseDiv: null,
    isDisplayed: false,
    isFetched: false,
    request: 0,
    waiting: undefined,
    response: null,
    watches: [],
  };
  const targeting: Pick<googletag.Slot, OlderCalls> = targetingCalls(slot.targeting, () => slot.api);
  Object.assign(api, callsOf(slot, service, state), targeting);
  return slot;
};

/** The calls of a slot, beside those for its targeting. */
const callsOf = (slot: AdSlot, pubads: googletag.PubAdsService, { associated, messages }: TagState) =>
  ({
    addService: (service) => {
      if (service !== pubads) messages.warn('The stand-in has no other service than that of pubads()');
      else if (!associated.includes(slot)) associated.push(slot);
      return slot.api;
    },
    getAdUnitPath: () => slot.adUnitPath,
    getSlotElementId: () => slot.id,
    getResponseInformation: () => slot.response && { ...slot.response },
    setConfig: ({ targeting, safeFrame, collapseDiv }) => {
      if (targeting !== undefined) slot.targeting.merge(targeting);
      if (safeFrame !== undefined) slot.safeFrame = { ...safeFrame };
      if (collapseDiv !== undefined) slot.collapseDiv = collapseDiv;
      return slot.api;
    },
    getConfig: (keys) => Object.freeze([keys].flat().includes('targeting') ? targetingOf(slot.targeting) : {}),
    updateTargetingFromMap: (map) => {
      slot.targeting.merge(map);
      return slot.api;
    },
    setCollapseEmptyDiv: (collapse, isBefore = false) => {
      slot.collapseDiv = collapse ? collapseOf(isBefore) : 'DISABLED';
      return slot.api;
    },
    setForceSafeFrame: (forceSafeFrame) => {
      slot.safeFrame = { ...slot.safeFrame, forceSafeFrame };
      return slot.api;
    },
    setSafeFrameConfig: (safeFrame) => {
      slot.safeFrame = { ...safeFrame };
      return slot.api;
    },
  }) satisfies Partial<googletag.Slot>;

/** The sizes in pixels. One size may stand without a list around it, and words such as `fluid` are none. */
const sizesOf = (size: googletag.GeneralSize): AdSlot['sizes'] => {
  const isPair = (each: unknown): each is readonly [number, number] =>
    Array.isArray(each) && each.length === 2 && each.every((side) => typeof side === 'number');
  return isPair(size) ? [size] : (Array.isArray(size) ? (size as readonly unknown[]) : []).filter(isPair);
};
