import { filter, ignoreElements, merge, mergeMap, type Observable, take, tap } from 'rxjs';

import type { EventDraft } from '../../model/event';
import { firstWithin } from '../../operators/firstWithin';
import { isolate } from '../../operators/isolate';
import type { AddonDeps } from '../addon';
import type { Codes } from '../adServer/codes';
import { fromSlots, readSlot } from './fromSlots';
import type { Googletag } from './googletag';

/** Longest time between the first ad request and the page's own cohorts; a longer one is reported (spec S§9). */
const metricsTimeoutMs = 5000;
/** In the address of an ad request that Google's tag has cut off, because it was too long with all the targeting. */
const truncation = /[?&]trunc=1(?:&|$)/;

/**
 * Tracks an AdRequest event for each request of a slot, with the cohort codes that the page's targeting holds at that
 * moment. Also reports two losses: cohorts that come late for the first request, and targeting that was cut off.
 */
export const adRequests = (googletag: Googletag, codes$: Observable<Codes>, deps: AddonDeps): Observable<EventDraft> =>
  merge(
    fromSlots(googletag, 'slotRequested').pipe(
      readSlot(
        (): EventDraft => ({
          name: 'AdRequest',
          properties: { ad_server_id: 'dfp', cohorts: targetedCodes(googletag) },
        }),
        deps,
      ),
    ),
    reportLateCohorts(googletag, codes$, deps),
    reportTruncation(googletag, deps),
  );

/** Reports once where this page's own cohorts have not come within 5 s of its first ad request. Emits nothing. */
const reportLateCohorts = (googletag: Googletag, codes$: Observable<Codes>, { report }: AddonDeps): Observable<never> =>
  fromSlots(googletag, 'slotRequested').pipe(
    take(1),
    mergeMap(() =>
      codes$.pipe(
        filter(({ isRealtime }) => isRealtime),
        take(1),
        firstWithin(metricsTimeoutMs),
      ),
    ),
    isolate('Timeout for targeting metrics.', report),
    ignoreElements(),
  );

/**
 * Reports the first slot whose targeting was cut off, and only that one: the targeting of the others is as long. Emits
 * nothing. Google documents that too long a request is cut off (https://support.google.com/admanager/answer/6123466,
 * read on 2026-11-24). The mark is known from the open source of AMP (ampproject/amphtml, pull 23945). The method by
 * which a slot tells its address is not documented, so nothing is said of a slot that lacks the method.
 */
const reportTruncation = (googletag: Googletag, deps: AddonDeps): Observable<never> =>
  fromSlots(googletag, 'slotRenderEnded').pipe(
    readSlot(({ slot }) => truncation.test(slot.getContentUrl?.() ?? '') || undefined, deps),
    take(1),
    tap(() => deps.report('Slot targeting is too long for one ad request and was cut off')),
    ignoreElements(),
  );

/**
 * The cohort codes that an ad request of this moment carries, read from the page's targeting. The mark `rts` is left
 * out, because it is no cohort. Tags without `getTargeting` are asked by `getConfig`.
 */
const targetedCodes = (googletag: Googletag): readonly string[] => {
  const codes =
    googletag.pubads?.().getTargeting?.('permutive') ??
    googletag.getConfig?.('targeting').targeting?.['permutive'] ??
    [];
  return [codes].flat().filter((code) => code !== 'rts');
};
