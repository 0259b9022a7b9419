import { defer, filter, map, type Observable, skipWhile, startWith, switchMap, withLatestFrom } from 'rxjs';

import { type Cohorts, queriedOf } from '../model/cohorts';
import type { ServiceStreams } from './service';

/**
 * Runs a service for one user after another: for the user of the moment, and anew when the server has given the visitor
 * another id. `evaluated$`, a state, has the cohorts that this page has evaluated for that user. The state is silent
 * until the user's engine has answered.
 */
export const forEachUser = <A>(
  { cohorts$, adopted$, context }: Pick<ServiceStreams, 'cohorts$' | 'adopted$' | 'context'>,
  run: (userId: string, evaluated$: Observable<Cohorts>) => Observable<A>,
): Observable<A> =>
  defer(() =>
    adopted$.pipe(
      withLatestFrom(cohorts$),
      map(([userId, before]) => {
        // Each answer of an engine is another list.
        const ofUser$ = cohorts$.pipe(skipWhile((cohorts) => queriedOf(cohorts) === queriedOf(before)));
        return { userId, ofUser$ };
      }),
      startWith({ userId: context().user_id, ofUser$: cohorts$ }),
      switchMap(({ userId, ofUser$ }) => run(userId, ofUser$.pipe(filter(({ isRealtime }) => isRealtime)))),
    ),
  );
