import { distinctUntilChanged, filter, map, type Observable } from 'rxjs';

import type { Cohorts } from '../model/cohorts';

/** Emits once this page has evaluated its cohorts, and again after a change of user. */
export const onceRealtime = (cohorts$: Observable<Cohorts>): Observable<unknown> =>
  cohorts$.pipe(
    map(({ isRealtime }) => isRealtime),
    distinctUntilChanged(),
    filter((isRealtime) => isRealtime),
  );
