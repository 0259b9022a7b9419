import { distinct, distinctUntilChanged, filter, merge, mergeMap, type Observable, switchMap } from 'rxjs';

import { type Activation, appliesIn } from '../../model/activation';
import type { AddonDeps, AddonStreams } from '../addon';

/**
 * Emits each activation when it is due: one with the trigger EveryTime once per view, as soon as the visitor is a
 * member in real time; OnEntry and OnExit at each transition of their cohort. Context criteria are checked at that
 * moment (spec S§4, S§5).
 *
 *     view:        v---------------v---
 *     cohorts:     l---m---m-----------      l: the last page's; m: own, a member
 *     transition:  ----------e-x-------      entry, exit
 *     result:      ----E-----N-X---E---      E: EveryTime, N: OnEntry, X: OnExit
 */
export const dueActivations = (
  { cohorts$, transition$, view$ }: Pick<AddonStreams, 'cohorts$' | 'transition$' | 'view$'>,
  { activations: all, context }: Pick<AddonDeps, 'activations' | 'context'>,
): Observable<Activation> => {
  const of = (trigger: Activation['tt']): readonly Activation[] => all.filter(({ tt }) => tt === trigger);
  const every = of('EveryTime');
  const entry = of('OnEntry');
  const exit = of('OnExit');
  return merge(
    view$.pipe(
      distinctUntilChanged(),
      // switchMap: each view begins anew, so an activation is due again in the next view.
      switchMap(() =>
        cohorts$.pipe(
          filter(({ isRealtime }) => isRealtime),
          mergeMap(({ members }) =>
            every.filter((activation) => members.includes(String(activation.sc)) && appliesIn(activation, context())),
          ),
          // Memberships change several times in a view; each activation acts once.
          distinct(({ id }) => id),
        ),
      ),
    ),
    transition$.pipe(
      mergeMap(({ id, entry: entered }) =>
        (entered ? entry : exit).filter(
          (activation) => String(activation.sc) === id && appliesIn(activation, context()),
        ),
      ),
    ),
  );
};
