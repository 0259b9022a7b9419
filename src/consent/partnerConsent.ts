import { combineLatest, map, type Observable, startWith } from 'rxjs';

import type { VisitorStreams } from '../contracts/visitStreams';
import { partnerPurposes, permits, type Tcf } from '../model/tcf';

/** What a partner needs the visitor's consent for. */
export interface PartnerNeeds {
  /** Id in the TCF vendor list; undefined: the partner is not in it. */
  readonly vendorId: number | undefined;
  /** Purposes of the TCF; undefined: 1, 3 and 4. */
  readonly purposes: readonly number[] | undefined;
}

/** Whether a partner may be told of the visitor at this moment. */
export interface PartnerConsent {
  readonly isGiven: boolean;
  /** The answer of the consent platform, which a vendor is sent; undefined before its first one. */
  readonly tcf: Tcf | undefined;
}

/**
 * State: whether a partner may be told of the visitor. The partner needs the consent for its purposes, and for itself
 * where it is a vendor of the TCF list, so nothing is given before the consent platform has answered or was found
 * missing. The visitor's data must also be allowed to be shared. Withdrawn consent counts at once.
 *
 *     sharing:  y-------n---
 *     tcf:      --n--y------    n, y: whether the platform permits it
 *     result:   n-n--y--n---
 *     result:   y-------n---    for a partner that is no vendor and needs no purpose
 */
export const partnerConsent = (
  { tcf$, sharing$ }: Pick<VisitorStreams, 'tcf$' | 'sharing$'>,
  { vendorId, purposes = partnerPurposes }: PartnerNeeds,
): Observable<PartnerConsent> =>
  vendorId === undefined && purposes.length === 0
    ? sharing$.pipe(map((isGiven) => ({ isGiven, tcf: undefined })))
    : combineLatest([sharing$, tcf$.pipe(startWith(undefined))]).pipe(
        map(([mayShare, tcf]) => ({
          isGiven: mayShare && tcf !== undefined && permits(tcf, vendorId, purposes),
          tcf,
        })),
      );
