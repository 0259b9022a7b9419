import { distinctUntilChanged, map, type Observable } from 'rxjs';

import type { Tcf } from '../model/tcf';

/**
 * State: whether a vendor of the TCF list may be used, from the first answer of the consent platform on. A platform
 * that fails, or that comes late and has not answered yet, gives consent to nobody, whatever was said before.
 *
 *     tcf:     -a-n-y-a-y-      aborted, not granted, granted
 *     result:  -n---y-n-y-
 */
export const vendorConsent = (tcf$: Observable<Tcf>, vendorId: number): Observable<boolean> =>
  tcf$.pipe(
    map((tcf) => tcf.vendorConsent(vendorId)),
    distinctUntilChanged(),
  );
