/* oxlint-disable typescript/no-deprecated -- pages still use the older calls, so the stand-in has them */
import { clearSlots, displaySlot, refreshSlots } from './requests';
import { beforeEnabled } from './settings';
import { defineSlot } from './slot';
import { type AdSlot, collapseOf, newCorrelator, type TagState } from './tagState';
import { type OlderCalls, targetingCalls } from './targeting';

/** The name of the service, as its events tell it. */
export const serviceName = 'publisher_ads';

/**
 * The service for ads. `hasOlderCalls`: the targeting calls too, which `setConfig` has replaced and which Google calls
 * deprecated.
 */
export const adService = (state: TagState, hasOlderCalls: boolean): googletag.PubAdsService => {
  const api: Partial<googletag.PubAdsService> = {};
  const service = api as googletag.PubAdsService;
  const targeting: Pick<googletag.PubAdsService, OlderCalls> = targetingCalls(state.targeting, () => service);
  Object.assign(api, slotCalls(service, state), settingCalls(service, state), hasOlderCalls && targeting);
  return service;
};

/** Slots by their public objects, all of the service where none are named. Unknown ones are passed over. */
const named = (
  wanted: readonly googletag.Slot[] | null | undefined,
  { associated, messages }: TagState,
): readonly AdSlot[] =>
  wanted?.flatMap((api) => {
    const slot = associated.find((each) => each.api === api);
    if (slot === undefined) messages.warn('The service has no such slot');
    return slot ?? [];
  }) ?? [...associated];

/** Events, requests, and the slots themselves. */
const slotCalls = (service: googletag.PubAdsService, state: TagState) =>
  ({
    addEventListener: (type, listener) => {
      state.listeners.add(type, listener);
      return service;
    },
    removeEventListener: (type, listener) => state.listeners.remove(type, listener),
    getSlots: () => state.associated.map(({ api }) => api),
    refresh: (slots, options) => refreshSlots(named(slots, state), options?.changeCorrelator !== false, state),
    clear: (slots) => {
      const cleared = named(slots, state);
      clearSlots(cleared);
      return cleared.length > 0;
    },
    updateCorrelator: () => {
      state.correlator = newCorrelator();
      return service;
    },
    display: (adUnitPath, size, div) => {
      const slot = defineSlot(adUnitPath, size, typeof div === 'string' ? div : div?.id, service, state);
      slot?.api.addService(service);
      if (slot !== null) displaySlot(slot, state);
    },
  }) satisfies Partial<googletag.PubAdsService>;

/** Settings of the page by their older names. */
const settingCalls = (service: googletag.PubAdsService, state: TagState) =>
  ({
    enableSingleRequest: () => beforeEnabled('enableSingleRequest', state, () => (state.isSingleRequest = true)),
    disableInitialLoad: () =>
      void beforeEnabled('disableInitialLoad', state, () => (state.isInitialLoadDisabled = true)),
    isInitialLoadDisabled: () => state.isInitialLoadDisabled,
    collapseEmptyDivs: (isBefore = false) =>
      beforeEnabled('collapseEmptyDivs', state, () => (state.collapseDiv = collapseOf(isBefore))),
    enableLazyLoad: (config = {}) => {
      state.lazyLoad = { ...config };
    },
    setForceSafeFrame: (forceSafeFrame) => {
      state.safeFrame = { ...state.safeFrame, forceSafeFrame };
      return service;
    },
    setSafeFrameConfig: (config) => {
      state.safeFrame = { ...config };
      return service;
    },
    setPublisherProvidedId: (ppid) => {
      if (ppid.length < 22 || ppid.length > 150)
        state.messages.warn('A publisher provided id has 22 to 150 characters');
      else state.ppid = ppid;
      return service;
    },
  }) satisfies Partial<googletag.PubAdsService>;
