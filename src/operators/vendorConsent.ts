import { distinctUntilChanged, filter, map, type Observable } from 'rxjs';

import type { Tcf } from '../model/tcf';

/**
 * State: whether a vendor of the TCF list may be used, from the first answer of the consent platform on. A platform
 * that fails gives no answer.
 *
 *     tcf:     -a-n-n-y-      aborted, not granted, granted
 *     result:  ---n---y-
 */
export const vendorConsent = (tcf$: Observable<Tcf>, vendorId: number): Observable<boolean> =>
  tcf$.pipe(
    filter(({ status }) => status !== 'aborted'),
    map((tcf) => tcf.vendorConsent(vendorId)),
    distinctUntilChanged(),
  );
