import { catchError, EMPTY, merge, mergeMap, type Observable, scan } from 'rxjs';

import type { EventDraft } from '../../model/event';
import type { AddonStreams } from '../addon';
import { fromSlots, readSlot } from './fromSlots';
import type { slotClicks } from './slotClicks';
import { noSlots, renderedProperties, type SlotInput, slotInput, type SlotSources, slotStep } from './slots';

/** Loads the code that recognises clicks. */
export type LoadClicks = () => Observable<typeof slotClicks>;

/**
 * Tracks SlotRendered, SlotViewable and SlotClicked, as far as the options want them (spec S§3, S§9). All inputs go
 * through one `scan`, so that later events of a slot carry what its ad was rendered with. Clicks are recognised once
 * the code for it has loaded.
 */
export const slotEvents = (
  sources: SlotSources,
  streams: Pick<AddonStreams, 'message$' | 'focusLoss$'>,
  loadClicks: LoadClicks,
): Observable<EventDraft> => {
  const clicked$ = loadClicks().pipe(
    // Messages and losses of focus come from the same chunk. Where it does not load, that has been reported for them.
    catchError(() => EMPTY),
    mergeMap((clicks) => clicks(sources, streams)),
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
