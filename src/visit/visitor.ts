import { concat, distinctUntilChanged, ignoreElements, map, mergeMap, type Observable, share, skip } from 'rxjs';

import { shareState } from '../operators/shareState';
import type { Owner } from './owner';
import type { Visitor } from './visitParts';

/**
 * Shares what is learnt of the visitor until `stop$`. Identities are learnt once the deferred chunk is there, and calls
 * of `identify` wait for it; third parties are asked once the visit has begun. Consent by TCF is asked for at its first
 * subscription.
 */
export const visitorOf = (owner: Owner, begun$: Observable<unknown>, stop$: Observable<unknown>): Visitor => {
  const { world, userId, isNew, isAdopted, adopt } = owner;
  const { deferredParts$, calls } = world;
  const tcf$ = deferredParts$.pipe(
    mergeMap(({ fromTcf }) => fromTcf(world)),
    shareState(stop$),
  );
  const sharing$ = deferredParts$.pipe(
    mergeMap(({ fromSharing }) => fromSharing(world)),
    shareState(stop$),
  );
  const identities$ = concat(
    deferredParts$.pipe(
      mergeMap((parts) =>
        parts.visitorIdentities(calls.identify$, { userId, adopt, begun$, tcf$, sharing$ }, parts, world),
      ),
    ),
    // The chunk has not loaded, and nobody can be told of an identity.
    calls.identify$.pipe(
      map(({ done }) => done(null)),
      ignoreElements(),
    ),
  ).pipe(shareState(stop$));
  return {
    userId,
    isNew,
    isAdopted,
    // The id can only change with a set of identities. skip: the first value is the id that is in use already.
    adopted$: identities$.pipe(map(userId), distinctUntilChanged(), skip(1), share()),
    identities$,
    tcf$,
    sharing$,
  };
};
