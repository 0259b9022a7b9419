import { adFrame } from '../frames';
import type { Answer } from './adServer';
import { type AdSlot, elementOf, type TagState, unwatch } from './tagState';
import { watchVisibility } from './viewport';

/** What prevents an ad from navigating the page, other than by a click of the reader. */
const sandbox = [
  ...['allow-forms', 'allow-popups', 'allow-popups-to-escape-sandbox', 'allow-same-origin', 'allow-scripts'],
  'allow-top-navigation-by-user-activation',
].join(' ');

/** Ids of an answer as events and `getResponseInformation` have them: ads of exchanges have none. */
export const idsOf = (ad: Answer): googletag.ResponseInformation => ({
  advertiserId: null,
  campaignId: null,
  creativeId: null,
  lineItemId: null,
  ...(ad !== null &&
    !ad.isBackfill && {
      advertiserId: ad.advertiserId,
      campaignId: ad.campaignId,
      creativeId: ad.creativeId,
      lineItemId: ad.lineItemId,
    }),
  creativeTemplateId: null,
});

/** Removes the ad of a slot and all that watches it. */
export const blank = (slot: AdSlot): void => {
  unwatch(slot);
  elementOf(slot)?.replaceChildren();
  slot.response = null;
  slot.waiting = undefined;
};

/** Whether the slot is to take no room where it has no ad. The slot's own setting comes first. */
export const collapses = (slot: AdSlot, state: TagState): googletag.config.CollapseDivBehavior =>
  slot.collapseDiv ?? state.collapseDiv ?? 'DISABLED';

let responses = 0;

/**
 * Injects the creative into the slot, or nothing where there is no ad. The event comes before the creative has loaded.
 */
export const render = (slot: AdSlot, ad: Answer, state: TagState): void => {
  const element = elementOf(slot);
  slot.waiting = undefined;
  if (element === null) {
    state.messages.warn(`The element ${slot.id} has gone before its ad came`);
    return;
  }
  unwatch(slot);
  element.replaceChildren();
  element.hidden = ad === null && collapses(slot, state) !== 'DISABLED';
  const [width, height] = sizeIn(element, slot);
  const { listeners } = state;
  if (ad !== null) {
    const frame = frameOf(slot, ad, [width, height], state);
    frame.addEventListener('load', () => listeners.emit('slotOnload', slot.api, {}), { once: true });
    const container = document.createElement('div');
    container.id = `${frame.id}__container__`;
    container.append(frame);
    element.append(container);
  }
  const { creativeTemplateId, ...ids } = idsOf(ad);
  listeners.emit('slotRenderEnded', slot.api, {
    ...ids,
    creativeTemplateId,
    isEmpty: ad === null,
    slotContentChanged: ad !== null,
    size: ad === null ? null : [width, height],
    // oxlint-disable-next-line typescript/no-deprecated -- listeners may still read it
    labelIds: null,
    sourceAgnosticCreativeId: ad?.creativeId ?? null,
    sourceAgnosticLineItemId: ad?.lineItemId ?? null,
    isBackfill: ad?.isBackfill ?? false,
    yieldGroupIds: ad?.isBackfill === true ? [71] : null,
    companyIds: ad?.isBackfill === true ? [8801] : null,
    responseIdentifier: ad === null ? null : `stand-in-${(responses += 1)}`,
  });
  if (ad !== null) watchVisibility(slot, element, [width, height], state);
};

/** The first size that the element has room for. A fluid slot is as wide as its element. */
const sizeIn = (element: HTMLElement, { sizes }: AdSlot): readonly [number, number] => {
  const room = element.clientWidth || window.innerWidth;
  return sizes.find(([width]) => width <= room) ?? sizes.at(-1) ?? [room, 250];
};

const frameOf = (
  slot: AdSlot,
  ad: NonNullable<Answer>,
  [width, height]: readonly [number, number],
  state: TagState,
): HTMLIFrameElement => {
  const safeFrame = { ...state.safeFrame, ...slot.safeFrame };
  const isSafeFrame = safeFrame.forceSafeFrame === true || ad.isSafeFrame;
  return adFrame(
    {
      creative: ad.creative,
      width,
      height,
      more: {
        ad_unit_path: slot.adUnitPath,
        creative_id: String(ad.creativeId),
        advertiser_id: String(ad.advertiserId),
        order_id: String(ad.campaignId),
        line_item_id: String(ad.lineItemId),
        targeting: JSON.stringify(ad.targeting),
      },
    },
    {
      id: `google_ads_iframe_${slot.adUnitPath}_0`,
      isSafeFrame,
      sandbox: isSafeFrame && safeFrame.sandbox === true ? sandbox : undefined,
    },
  );
};
