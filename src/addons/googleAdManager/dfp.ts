import * as t from 'io-ts';
import {
  combineLatest,
  concatMap,
  defer,
  filter,
  finalize,
  fromEventPattern,
  ignoreElements,
  merge,
  mergeMap,
  type Observable,
  scan,
  switchMap,
  take,
  tap,
  timeout,
} from 'rxjs';

import type { EventDraft } from '../../model/event';
import { optionsOf } from '../../model/options';
import { partnerKeys } from '../../model/storageKeys';
import { isolate } from '../../operators/isolate';
import type { Addon, AddonDeps, AddonStreams } from '../addon';
import { focusMoments, oneClickEach } from '../adServer/clicks';
import { type Codes, codesOf, type CodeStore, marked, startedOver, storing } from '../adServer/codes';
import { clickedIds, isClickMessage } from './clickMessage';
import type { DfpOptions } from './dfpOptions';
import { fromGoogletag } from './fromGoogletag';
import type { GoogleSlot, Googletag, SlotEvent, SlotEventType } from './googletag';
import { clearPageTargeting, setPageTargeting } from './pageTargeting';
import { noSlots, renderedProperties, type SlotInput, slotProperties, slotStep } from './slots';

const googleOrigins = [
  'https://tpc.googlesyndication.com',
  'https://securepubads.g.doubleclick.net',
  'https://googleads.g.doubleclick.net',
];
const codeStore: CodeStore = { platform: 'dfp', key: partnerKeys.googleAdManager };
/** How long an ad request may go out before this page's own cohorts do (spec S§9). */
const metricsTimeoutMs = 5000;
/** Ends an address that was too long for Google's ad server, targeting and all. */
const truncation = '__trunc__';

/** Google Ad Manager: cohorts as page-level targeting (contract: what partners see), and what its slots show (spec S§3). */
export const dfp: Addon<DfpOptions> = {
  name: 'dfp',
  autoInit: true,
  options: optionsOf<DfpOptions>({
    auto_init: [t.boolean, true],
    track_slot_rendered: [t.boolean, true],
    track_slot_viewable: [t.boolean, true],
    track_slot_clicked: [t.boolean, true],
    track_targeting_keys: [t.boolean, false],
    click_origins: [t.readonlyArray(t.string), googleOrigins],
  }),
  run: (streams, options$, deps) =>
    // switchMap: started again, it starts over; targeting set twice is targeting set once.
    options$.pipe(
      switchMap((options) =>
        startedOver(options.auto_init, codeStore, streams, deps, () => {
          const codes$ = codesOf(codeStore, streams, deps);
          return merge(
            codes$.pipe(storing(codeStore, deps), ignoreElements()),
            fromGoogletag(streams).pipe(
              isolate('Unable to find google tag script', deps.report),
              mergeMap((googletag) =>
                merge(
                  targeting(googletag, codes$, streams, deps),
                  slotEvents(googletag, options, codes$, streams, deps),
                ),
              ),
            ),
          );
        }),
      ),
    ),
};

const targeting = (
  googletag: Googletag,
  codes$: Observable<Codes>,
  streams: AddonStreams,
  deps: AddonDeps,
): Observable<never> =>
  // Another view in the same document has another `prmtvvid`.
  combineLatest([codes$, streams.view$]).pipe(
    concatMap(([codes]) => {
      const { userId, viewId, workspaceId, sdkType } = deps.visitor();
      return setPageTargeting(
        googletag,
        {
          permutive: marked(codes),
          puid: userId,
          ptime: String(deps.now()),
          prmtvsdk: sdkType,
          prmtvvid: viewId,
          prmtvwid: workspaceId,
        },
        deps,
      );
    }),
    // Consent that goes takes the visitor out of the ad requests that follow.
    finalize(() =>
      clearPageTargeting(googletag, ['permutive', 'puid', 'ptime', 'prmtvsdk', 'prmtvvid', 'prmtvwid'], deps),
    ),
  );

/** What happens in Google's slots, as events. What a slot's object throws costs that event. */
const slotEvents = (
  googletag: Googletag,
  options: DfpOptions,
  codes$: Observable<Codes>,
  { message$, focusLoss$ }: AddonStreams,
  deps: AddonDeps,
): Observable<EventDraft> => {
  const reading = <A, B>(read: (input: A) => B | undefined) =>
    mergeMap((input: A) =>
      defer(() => {
        const found = read(input);
        return found === undefined ? [] : [found];
      }).pipe(isolate('DFP failed to read a slot', deps.report)),
    );
  const pubads = googletag.pubads?.();
  const heard = (type: SlotEventType): Observable<SlotEvent> =>
    fromEventPattern(
      (listener) => pubads?.addEventListener?.(type, listener),
      (listener) => pubads?.removeEventListener?.(type, listener),
    );
  const slotWhere = (found: (slot: GoogleSlot) => boolean): GoogleSlot | undefined => pubads?.getSlots?.().find(found);
  const inputOf = (type: SlotInput['type'], slot: GoogleSlot, properties = {}): SlotInput => ({
    type,
    id: slot.getSlotElementId(),
    properties: { ...slotProperties(slot, options.track_targeting_keys), ...properties },
  });

  const rendered$ = heard('slotRenderEnded').pipe(
    reading((event) => inputOf('rendered', event.slot, renderedProperties(event, deps.now()))),
  );
  const viewable$ = heard('impressionViewable').pipe(reading(({ slot }) => inputOf('viewable', slot)));
  const focused$ = focusMoments(focusLoss$).pipe(
    reading(() => {
      const slot = slotWhere((candidate) => deps.adIn(candidate.getSlotElementId())?.hasFocus === true);
      return slot && inputOf('clicked', slot);
    }),
  );
  // Anybody may post: only the frame of a slot that Google's tag knows, from an origin that is named whole, is believed.
  const posted$ = message$.pipe(
    filter(
      (message) =>
        isClickMessage(message) &&
        (message.origin === deps.origin() || options.click_origins.includes(message.origin)) &&
        message.origin !== 'null',
    ),
    reading((message) => {
      const slot = slotWhere(
        (candidate) =>
          message.source !== null && deps.adIn(candidate.getSlotElementId())?.windows.includes(message.source) === true,
      );
      if (slot === undefined) return undefined;
      const ids = clickedIds(message);
      if (ids === undefined) throw new Error('google_ad_click: expected an ad unit path and ids');
      return inputOf('clicked', slot, ids);
    }),
  );

  const request$ = heard('slotRequested');
  return merge(
    merge(rendered$, viewable$, merge(focused$, posted$).pipe(oneClickEach(({ id }) => id))).pipe(
      scan(slotStep(options), noSlots()),
      mergeMap(({ drafts }) => drafts),
    ),
    request$.pipe(
      reading((): EventDraft => ({
        name: 'AdRequest',
        properties: { ad_server_id: 'dfp', cohorts: targetedCodes(googletag) },
      })),
    ),
    request$.pipe(
      take(1),
      mergeMap(() =>
        codes$.pipe(
          filter(({ isRealtime }) => isRealtime),
          take(1),
          timeout(metricsTimeoutMs),
        ),
      ),
      isolate('Timeout for targeting metrics.', deps.report),
      ignoreElements(),
    ),
    heard('slotRenderEnded').pipe(
      reading(({ slot }) => slot.getContentUrl?.().includes(truncation) || undefined),
      take(1),
      tap(() => deps.report('Slot targeting is too long for one ad request and was cut off')),
      ignoreElements(),
    ),
  );
};

/** The cohorts that an ad request of this moment carries. */
const targetedCodes = (googletag: Googletag): readonly string[] => {
  const codes =
    googletag.pubads?.().getTargeting?.('permutive') ??
    googletag.getConfig?.('targeting').targeting?.['permutive'] ??
    [];
  return [codes].flat().filter((code) => code !== 'rts');
};
