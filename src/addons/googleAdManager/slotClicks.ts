import { filter, merge, type Observable } from 'rxjs';

import type { PageMessage } from '../../model/pageSignal';
import type { AddonStreams } from '../addon';
import { focusMoments, oneClickEach } from '../adServer/clicks';
import { clickedIds, isClickMessage } from './clickMessage';
import { readSlot } from './fromSlots';
import type { GoogleSlot, Googletag } from './googletag';
import { type SlotInput, slotInput, type SlotSources } from './slots';

/**
 * Clicks on the ads of Google's slots, recognised by focus and by message. A click that is recognised both ways is
 * emitted once. Hot.
 */
export const slotClicks = (
  sources: SlotSources,
  streams: Pick<AddonStreams, 'message$' | 'focusLoss$'>,
): Observable<SlotInput> =>
  merge(focusedAds(sources, streams), postedClicks(sources, streams)).pipe(oneClickEach(({ id }) => id));

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
 * Clicks that a creative has posted to the page. Any script may post a message, so it must come from a frame of a slot
 * that Google's tag knows. The origin says nothing more: SafeFrames have random ones, and sandboxed frames have none. A
 * message of a known frame with wrong ids is reported.
 */
const postedClicks = (sources: SlotSources, { message$ }: Pick<AddonStreams, 'message$'>): Observable<SlotInput> =>
  message$.pipe(
    filter(isClickMessage),
    readSlot((message) => {
      const slot = slotOf(message, sources);
      if (slot === undefined) return undefined;
      const ids = clickedIds(message);
      if (ids === undefined) throw new Error('google_ad_click: expected an ad unit path and ids');
      return slotInput(sources, 'clicked', slot, ids);
    }, sources.deps),
  );

/** The slot whose frame has sent the message. */
const slotOf = ({ source }: PageMessage, { googletag, deps }: SlotSources): GoogleSlot | undefined =>
  slotWhere(
    googletag,
    (candidate) => source !== null && deps.adIn(candidate.getSlotElementId())?.windows.includes(source) === true,
  );

const slotWhere = (googletag: Googletag, found: (slot: GoogleSlot) => boolean): GoogleSlot | undefined =>
  googletag.pubads?.().getSlots?.().find(found);
