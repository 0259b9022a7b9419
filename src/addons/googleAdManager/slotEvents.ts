import { filter, merge, mergeMap, type Observable, scan } from 'rxjs';

import type { EventDraft } from '../../model/event';
import type { PageMessage } from '../../model/pageSignal';
import type { AddonDeps, AddonStreams } from '../addon';
import { focusMoments, oneClickEach } from '../adServer/clicks';
import { clickedIds, isClickMessage } from './clickMessage';
import type { DfpOptions } from './dfpOptions';
import { fromSlots, readSlot } from './fromSlots';
import type { GoogleSlot, Googletag } from './googletag';
import { noSlots, renderedProperties, type SlotInput, slotProperties, slotStep } from './slots';

/** The tag, the options and the effects that every source of slot events needs. */
export interface SlotSources {
  readonly googletag: Googletag;
  readonly options: DfpOptions;
  readonly deps: AddonDeps;
}

/**
 * Tracks SlotRendered, SlotViewable and SlotClicked, as far as the options want them (spec S§3, S§9). All inputs go
 * through one `scan`, so that later events of a slot carry what its ad was rendered with. A click that is recognised
 * both by focus and by message is tracked once.
 */
export const slotEvents = (
  sources: SlotSources,
  streams: Pick<AddonStreams, 'message$' | 'focusLoss$'>,
): Observable<EventDraft> => {
  const clicked$ = merge(focusedAds(sources, streams), postedClicks(sources, streams)).pipe(
    oneClickEach(({ id }) => id),
  );
  return merge(renderedSlots(sources), viewableSlots(sources), clicked$).pipe(
    scan(slotStep(sources.options), noSlots()),
    mergeMap(({ drafts }) => drafts),
  );
};

/** Ads as they are rendered, with Google's ids and the time in ms since 1970. */
const renderedSlots = (sources: SlotSources): Observable<SlotInput> =>
  fromSlots(sources.googletag, 'slotRenderEnded').pipe(
    readSlot(
      (event) => slotInput(sources, 'rendered', event.slot, renderedProperties(event, sources.deps.now())),
      sources.deps,
    ),
  );

/** Ads that have become viewable by Google's measure. */
const viewableSlots = (sources: SlotSources): Observable<SlotInput> =>
  fromSlots(sources.googletag, 'impressionViewable').pipe(
    readSlot(({ slot }) => slotInput(sources, 'viewable', slot), sources.deps),
  );

/** Clicks that are recognised by the focus: the page has lost it to a frame of a slot. */
const focusedAds = (sources: SlotSources, { focusLoss$ }: Pick<AddonStreams, 'focusLoss$'>): Observable<SlotInput> =>
  focusMoments(focusLoss$).pipe(
    readSlot(() => {
      const { googletag, deps } = sources;
      const slot = slotWhere(googletag, (candidate) => deps.adIn(candidate.getSlotElementId())?.hasFocus === true);
      return slot && slotInput(sources, 'clicked', slot);
    }, sources.deps),
  );

/**
 * Clicks that a creative has posted to the page. The message must come from a trusted origin and from a frame of a slot
 * that Google's tag knows. A message of a known frame with wrong ids is reported.
 */
const postedClicks = (sources: SlotSources, { message$ }: Pick<AddonStreams, 'message$'>): Observable<SlotInput> =>
  message$.pipe(
    filter((message) => isClickMessage(message) && isTrusted(message, sources)),
    readSlot((message) => {
      const slot = slotOf(message, sources);
      if (slot === undefined) return undefined;
      const ids = clickedIds(message);
      if (ids === undefined) throw new Error('google_ad_click: expected an ad unit path and ids');
      return slotInput(sources, 'clicked', slot, ids);
    }, sources.deps),
  );

/**
 * Any script may post a message, so the origin must be the page's own or one that the options name in full.
 * `null` is the origin of every sandboxed frame and therefore identifies no sender.
 */
const isTrusted = ({ origin }: PageMessage, { options, deps }: SlotSources): boolean =>
  origin !== 'null' && (origin === deps.origin() || options.click_origins.includes(origin));

/** The slot whose frame has sent the message. */
const slotOf = ({ source }: PageMessage, { googletag, deps }: SlotSources): GoogleSlot | undefined =>
  slotWhere(
    googletag,
    (candidate) => source !== null && deps.adIn(candidate.getSlotElementId())?.windows.includes(source) === true,
  );

const slotWhere = (googletag: Googletag, found: (slot: GoogleSlot) => boolean): GoogleSlot | undefined =>
  googletag.pubads?.().getSlots?.().find(found);

/** The input for one slot: its own properties, and those that the event adds. */
const slotInput = (
  { options }: SlotSources,
  type: SlotInput['type'],
  slot: GoogleSlot,
  properties = {},
): SlotInput => ({
  type,
  id: slot.getSlotElementId(),
  properties: { ...slotProperties(slot, options.track_targeting_keys), ...properties },
});
