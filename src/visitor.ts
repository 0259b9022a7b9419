import { distinctUntilChanged, map, type Observable, share, skip } from 'rxjs';
import type { Later } from './late';
import type { Identities, IdentityState } from './model/identity';
import type { Tcf } from './model/tcf';
import { remember } from './operators/remember';
import type { World } from './runtime';
import { identities } from './streams/identities';
import { establishUser, keepUser } from './streams/userId';

/** Who the visitor of a visit is. */
export interface Visitor {
  /** The id at this moment: the stored one or a new one, until the server knows a better. */
  readonly userId: () => string;
  /** The server has known the visitor by another id than this browser had. */
  readonly isAdopted: () => boolean;
  /** The id that has taken the place of the one before. */
  readonly adopted$: Observable<string>;
  readonly identities$: Observable<IdentityState>;
  /** State: what the page's consent platform says. */
  readonly tcf$: Observable<Tcf>;
}

export const visitorOf = (world: World, later: Later, stop$: Observable<unknown>): Visitor => {
  const deps = { ...world, ...world.platform };
  const established = establishUser(deps).id;
  let id = established;
  const userId = (): string => id;
  const adopt = (better: string): void => {
    id = better;
    keepUser(better, deps);
  };
  const tcf$ = later(({ fromTcf }) => fromTcf(deps.page)).pipe(remember(stop$));
  const lookUp = (known: Identities) => later(({ lookUpIdentities }) => lookUpIdentities(known, { ...deps, tcf$, userId }));
  const identities$ = identities(deps.calls.identify$, { ...deps, userId, adopt, lookUp }).pipe(remember(stop$));
  return {
    userId,
    isAdopted: () => id !== established,
    adopted$: identities$.pipe(map(userId), distinctUntilChanged(), skip(1), share()),
    identities$,
    tcf$,
  };
};
