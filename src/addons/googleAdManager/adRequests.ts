import { filter, ignoreElements, merge, mergeMap, type Observable, take, tap, timeout } from 'rxjs';

import type { EventDraft } from '../../model/event';
import { isolate } from '../../operators/isolate';
import type { AddonDeps } from '../addon';
import type { Codes } from '../adServer/codes';
import { fromSlots, readSlot } from './fromSlots';
import type { Googletag } from './googletag';

/** How long this page's own cohorts may come after its first ad request before that is reported (spec S§9). */
const metricsTimeoutMs = 5000;
/** Ends an address that was too long for Google's ad server, targeting and all. */
const truncation = '__trunc__';

/** AdRequest events with the cohorts that the request carries. Reports requests that carry too little. */
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

/** The first ad request went out, and the page's own cohorts did not follow in time. */
const reportLateCohorts = (googletag: Googletag, codes$: Observable<Codes>, { report }: AddonDeps): Observable<never> =>
  fromSlots(googletag, 'slotRequested').pipe(
    take(1),
    mergeMap(() =>
      codes$.pipe(
        filter(({ isRealtime }) => isRealtime),
        take(1),
        timeout(metricsTimeoutMs),
      ),
    ),
    isolate('Timeout for targeting metrics.', report),
    ignoreElements(),
  );

/** Reports once that a slot's targeting was cut off; the next slot's would be as long. */
const reportTruncation = (googletag: Googletag, deps: AddonDeps): Observable<never> =>
  fromSlots(googletag, 'slotRenderEnded').pipe(
    readSlot(({ slot }) => slot.getContentUrl?.().includes(truncation) || undefined, deps),
    take(1),
    tap(() => deps.report('Slot targeting is too long for one ad request and was cut off')),
    ignoreElements(),
  );

/** The cohorts that an ad request of this moment carries: its targeting without the mark `rts`, which is no cohort. */
const targetedCodes = (googletag: Googletag): readonly string[] => {
  const codes =
    googletag.pubads?.().getTargeting?.('permutive') ??
    googletag.getConfig?.('targeting').targeting?.['permutive'] ??
    [];
  return [codes].flat().filter((code) => code !== 'rts');
};
