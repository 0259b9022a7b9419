import { addressOf, answersTo } from './adServer';
import { blank, collapses, idsOf, render } from './rendering';
import { type AdSlot, elementOf, newCorrelator, type TagState, unwatch } from './tagState';
import { whenNear } from './viewport';

/** How long the ad server takes to answer. */
const answerAfterMs = 60;
/** Slots of one request in single-request mode (support.google.com/admanager/answer/6396047). */
const maxSlots = 30;
/** Margins of those who name none: Google does not tell its defaults, so these are of its sample for lazy loading. */
const sampleMargins = { fetchMarginPercent: 500, renderMarginPercent: 200, mobileScaling: 2 };

/** The name of the event on `window` by which a test hears of ad requests. The real tag asks its server. */
export const requestEvent = 'googletag stand-in: ad request';

/** What that event tells. */
export interface RequestDetail {
  readonly address: string;
  /** Ids of the elements of the slots. */
  readonly slots: readonly string[];
}

/**
 * A slot is displayed: it is registered, and asks for its ad unless the initial load is off. In single-request mode,
 * all slots ask that have not done so yet, and a slot whose answer has come shows its ad.
 */
export const displaySlot = (slot: AdSlot, state: TagState): void => {
  const { messages } = state;
  const element = elementOf(slot);
  if (!state.associated.includes(slot)) messages.warn(`${slot.adUnitPath} is displayed without a service`);
  else if (slot.isDisplayed) messages.warn(`${slot.id} is displayed once more: refresh it`);
  else if (element === null) messages.warn(`${slot.id} is displayed before its element is in the document`);
  else if (!state.isEnabled) messages.warn(`${slot.id} is displayed before enableServices`);
  else {
    slot.isDisplayed = true;
    element.hidden = collapses(slot, state) === 'BEFORE_FETCH';
    if (state.isInitialLoadDisabled) return;
    if (slot.waiting !== undefined) renderNear(slot, state);
    else if (!slot.isFetched) fetchAds(state.isSingleRequest ? unfetched(state) : [slot], state);
  }
};

const unfetched = ({ associated }: TagState): readonly AdSlot[] => associated.filter(({ isFetched }) => !isFetched);

/** Asks for new ads for slots that have been displayed, all of them where none are named. */
export const refreshSlots = (wanted: readonly AdSlot[], isNewView: boolean, state: TagState): void => {
  const { messages } = state;
  if (!state.isEnabled) {
    messages.warn('refresh has no effect before enableServices');
    return;
  }
  for (const { id, isDisplayed } of wanted)
    if (!isDisplayed) messages.warn(`${id} is refreshed before it is displayed`);
  if (isNewView) state.correlator = newCorrelator();
  fetchAds(
    wanted.filter(({ isDisplayed }) => isDisplayed),
    state,
  );
};

/** Asks for ads: in single-request mode together, else one by one. With lazy loading, once slots come near. */
const fetchAds = (slots: readonly AdSlot[], state: TagState): void => {
  if (slots.length > maxSlots && state.isSingleRequest)
    state.messages.warn(`One request has at most ${maxSlots} slots: the others stay unfilled`);
  const together = state.isSingleRequest ? [slots.slice(0, maxSlots)] : slots.map((slot) => [slot]);
  for (const batch of together) {
    for (const slot of batch) {
      slot.isFetched = true;
      slot.request += 1;
      unwatch(slot);
    }
    fetchNear(batch, state);
  }
};

/** With lazy loading, the first slot that comes within the margin makes the request of its batch. */
const fetchNear = (batch: readonly AdSlot[], state: TagState): void => {
  let isSent = false;
  const sendOnce = (): void => {
    if (isSent) return;
    isSent = true;
    for (const slot of batch) unwatch(slot);
    send(batch, state);
  };
  for (const slot of batch) {
    const element = elementOf(slot);
    if (element !== null) slot.watches.push(whenNear(element, marginOf('fetchMarginPercent', state), sendOnce));
  }
};

/** A margin of lazy loading in percent of the viewport; undefined where it is off. Mobile devices scale it. */
const marginOf = (name: 'fetchMarginPercent' | 'renderMarginPercent', { lazyLoad }: TagState): number | undefined => {
  if (lazyLoad === null) return undefined;
  const { [name]: margin, mobileScaling } = { ...sampleMargins, ...lazyLoad };
  const scaling = /Mobi/.test(navigator.userAgent) ? (mobileScaling ?? 1) : 1;
  return margin === null || margin < 0 ? undefined : margin * scaling;
};

/** Sends one request with the key values of this moment: later changes belong to later requests. */
const send = (batch: readonly AdSlot[], state: TagState): void => {
  const slots = batch.filter((slot) => state.defined.includes(slot));
  const address = addressOf({
    slots: slots.map(({ adUnitPath, sizes, targeting }) => ({ adUnitPath, sizes, targeting: targeting.all() })),
    targeting: state.targeting.all(),
    correlator: state.correlator,
    ppid: state.ppid,
  });
  const asked = slots.map((slot) => [slot, slot.request] as const);
  const detail: RequestDetail = { address, slots: slots.map(({ id }) => id) };
  window.dispatchEvent(new CustomEvent(requestEvent, { detail }));
  for (const { api } of slots) state.listeners.emit('slotRequested', api, {});
  setTimeout(() => {
    const answers = answersTo(address);
    asked.forEach(([slot, request], i) => {
      // A slot that was cleared, destroyed or asked for again meanwhile wants no such answer.
      if (slot.request !== request || !state.defined.includes(slot)) return;
      const ad = answers[i] ?? null;
      blank(slot);
      slot.response = ad === null ? null : idsOf(ad);
      slot.waiting = ad;
      state.listeners.emit('slotResponseReceived', slot.api, {});
      if (slot.isDisplayed) renderNear(slot, state);
    });
  }, answerAfterMs);
};

/** Renders the answer that waits, once its slot is near enough. */
const renderNear = (slot: AdSlot, state: TagState): void => {
  const element = elementOf(slot);
  const show = (): void => {
    if (slot.waiting !== undefined) render(slot, slot.waiting, state);
  };
  if (element === null) show();
  else slot.watches.push(whenNear(element, marginOf('renderMarginPercent', state), show));
};

/** Removes ads. The slots count as not fetched. */
export const clearSlots = (slots: readonly AdSlot[]): void => {
  for (const slot of slots) {
    blank(slot);
    slot.isFetched = false;
    slot.request += 1;
  }
};
