import { distinctUntilChanged, filter, map, mergeMap, type Observable, share, skip } from 'rxjs';

import type { Identities, IdentityState } from '../model/identity';
import type { Tcf } from '../model/tcf';
import { shareState } from '../operators/shareState';
import { identities } from '../streams/visitor/identities';
import { establishUser, fromUserChange, isReplaced, keepUser } from '../streams/visitor/userId';
import type { World } from '../world';

/** The visitor of a visit: user id, identities and consent by TCF. */
export interface Visitor {
  /** The user id of this moment: the stored or a new one, until the server answers `identify` with another. */
  readonly userId: () => string;
  /** Whether this browser had no user id yet. */
  readonly isNew: boolean;
  /** Whether the server has answered with another id than this browser had. */
  readonly isAdopted: () => boolean;
  /** Emits the new id each time the server has given another one. Hot. */
  readonly adopted$: Observable<string>;
  /** Whether another tab has given this browser another user. */
  readonly isReplaced: () => boolean;
  /** Emits when it has. Hot. */
  readonly replaced$: Observable<unknown>;
  /** State: what the publisher and third parties know the visitor by. */
  readonly identities$: Observable<IdentityState>;
  /** State: what the page's consent platform says. */
  readonly tcf$: Observable<Tcf>;
  /** State: whether the visitor's data may be given to others (contract: Global Privacy Control). */
  readonly sharing$: Observable<boolean>;
}

/**
 * Finds the visitor's stored id or makes one, and shares what is learnt of the visitor until `stop$`. Third parties are
 * asked for identities once the visit has begun, consent by TCF at its first subscription.
 */
export const visitorOf = (world: World, begun$: Observable<unknown>, stop$: Observable<unknown>): Visitor => {
  const { deferredParts$ } = world;
  const { id: established, isNewlyGenerated } = establishUser(world);
  let id = established;
  const userId = (): string => id;
  const adopt = (better: string): void => {
    id = better;
    keepUser(better, world);
  };
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
        lookUpIdentities(known, { ...world, ...definition, tcf$, sharing$, userId }).pipe(
          map((found) => (knownByThen: Identities) => thirdPartyIdentities(found, knownByThen)),
        ),
      ),
    );
  const identities$ = identities(world.calls.identify$, { ...world, begun$, userId, adopt, lookUp }).pipe(
    shareState(stop$),
  );
  return {
    userId,
    isNew: isNewlyGenerated,
    isAdopted: () => id !== established,
    // The id can only change with a set of identities. skip: the first value is the id that is in use already.
    adopted$: identities$.pipe(map(userId), distinctUntilChanged(), skip(1), share()),
    isReplaced: () => isReplaced(id, world),
    replaced$: fromUserChange(world.listen).pipe(filter(() => isReplaced(id, world))),
    identities$,
    tcf$,
    sharing$,
  };
};
