import { distinctUntilChanged, map, type Observable } from 'rxjs';

import { partnerPurposes, permits, type Tcf } from '../model/tcf';

/**
 * State: whether a vendor of the TCF list may be used for all these purposes, from the first answer of the consent
 * platform on. A platform that fails, or that comes late and has not answered yet, gives consent to nobody, whatever
 * was said before. `vendorId`: undefined for who is no vendor. Purposes are 1, 3 and 4 by default.
 *
 *     tcf:     -a-n-y-a-y-      aborted, not granted, granted
 *     result:  -n---y-n-y-
 */
export const vendorConsent = (
  tcf$: Observable<Tcf>,
  vendorId: number | undefined,
  purposes: readonly number[] = partnerPurposes,
): Observable<boolean> =>
  tcf$.pipe(
    map((tcf) => permits(tcf, vendorId, purposes)),
    distinctUntilChanged(),
  );
