import type { GoogleSlot, Googletag, SlotEvent } from '../../../src/addons/googleAdManager/googletag';

// The compiler is the test: what Google documents can be given where we take it.
const slot = (given: googletag.Slot): GoogleSlot => given;
const rendered = (given: googletag.events.SlotRenderEndedEvent): SlotEvent => given;
const requested = (given: googletag.events.SlotRequestedEvent): SlotEvent => given;
const viewable = (given: googletag.events.ImpressionViewableEvent): SlotEvent => given;
const getSlots = (
  given: googletag.PubAdsService,
): ReturnType<NonNullable<ReturnType<NonNullable<Googletag['pubads']>>['getSlots']>> => given.getSlots();

it('takes Google’s objects as @types/google-publisher-tag has them', () => {
  expect([slot, rendered, requested, viewable, getSlots].every((take) => typeof take === 'function')).toBe(true);
});
