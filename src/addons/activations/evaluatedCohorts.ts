import { combineLatest, filter, map, type Observable, skip, startWith } from 'rxjs';

import type { Cohorts } from '../../model/cohorts';
import type { AddonStreams } from '../addon';

/**
 * State: the cohorts that this page has evaluated, at each change, and again in each further view of the document,
 * because the criteria of activations may hold there. Cohorts that the last page stored are left out.
 *
 *     cohorts:  l--a----b---    l: the last page's
 *     view:     v-----w--x--
 *     result:   ---a--a-bb--
 */
export const evaluatedCohorts = ({ cohorts$, view$ }: Pick<AddonStreams, 'cohorts$' | 'view$'>): Observable<Cohorts> =>
  combineLatest([
    cohorts$,
    // The first view begins with the cohorts themselves.
    view$.pipe(skip(1), startWith('')),
  ]).pipe(
    map(([cohorts]) => cohorts),
    // Filtered last, because another user of the same visit has no cohorts until they are evaluated.
    filter(({ isRealtime }) => isRealtime),
  );
