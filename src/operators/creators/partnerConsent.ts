import { combineLatest, map, type Observable, startWith } from 'rxjs';

import type { Tcf } from '../../model/tcf';

/** The streams that say what the visitor allows. */
export interface ConsentStreams {
  /** State: what the page's consent platform says. */
  readonly tcf$: Observable<Tcf>;
  /** State: whether the visitor's data may be given to others. */
  readonly sharing$: Observable<boolean>;
}

/** Whether a partner may be told of the visitor at this moment. */
export interface PartnerConsent {
  readonly isGiven: boolean;
  /** The answer of the consent platform, which a vendor is sent; undefined before its first one, and for no vendor. */
  readonly tcf: Tcf | undefined;
}

/**
 * State: whether a partner may be told of the visitor. One that is a vendor of the TCF list needs the consent of that
 * vendor, so nothing is given before the consent platform has answered or was found missing. Any partner needs that the
 * visitor's data may be shared. What is withdrawn is withdrawn at once.
 *
 *     sharing:  y-------n---
 *     tcf:      --n--y------    n, y: whether the vendor has consent
 *     result:   n-n--y--n---    for a vendor
 *     result:   y-------n---    for a partner that is no vendor, which does not hear the platform
 */
export const partnerConsent = (
  { tcf$, sharing$ }: ConsentStreams,
  vendorId: number | undefined,
): Observable<PartnerConsent> =>
  vendorId === undefined
    ? sharing$.pipe(map((isGiven) => ({ isGiven, tcf: undefined })))
    : combineLatest([sharing$, tcf$.pipe(startWith(undefined))]).pipe(
        map(([mayShare, tcf]) => ({ isGiven: mayShare && tcf?.vendorConsent(vendorId) === true, tcf })),
      );
