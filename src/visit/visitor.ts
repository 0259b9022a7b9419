import { distinctUntilChanged, map, mergeMap, type Observable, share, skip } from 'rxjs';

import type { Identities } from '../model/identity';
import { shareState } from '../operators/shareState';
import { identities } from '../streams/visitor/identities';
import type { Owner } from './owner';
import type { Visitor } from './visitParts';

/**
 * Shares what is learnt of the visitor until `stop$`. Third parties are asked for identities once the visit has begun,
 * consent by TCF at its first subscription.
 */
export const visitorOf = (owner: Owner, begun$: Observable<unknown>, stop$: Observable<unknown>): Visitor => {
  const { world, userId, isNew, isAdopted, adopt } = owner;
  const { deferredParts$ } = world;
  const tcf$ = deferredParts$.pipe(
    mergeMap(({ fromTcf }) => fromTcf(world)),
    shareState(stop$),
  );
  const sharing$ = deferredParts$.pipe(
    mergeMap(({ fromSharing }) => fromSharing(world)),
    shareState(stop$),
  );
  const lookUp = (known: Identities) =>
    deferredParts$.pipe(
      mergeMap(({ lookUpIdentities, thirdPartyIdentities, definition }) =>
        lookUpIdentities({ known, userId, tcf$, sharing$ }, definition, world).pipe(
          map((found) => (knownByThen: Identities) => thirdPartyIdentities(found, knownByThen)),
        ),
      ),
    );
  const identities$ = identities(world.calls.identify$, { userId, adopt, begun$, lookUp }, world).pipe(
    shareState(stop$),
  );
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
