import { catchError, distinctUntilKeyChanged, map, of, startWith, switchMap, withLatestFrom } from 'rxjs';

import { call } from '../endpoints/call';
import { classificationSegment } from '../endpoints/classificationSegment';
import type { ServiceOutput } from '../model/serviceOutput';
import { onceRealtime } from './realtimeCohorts';
import type { CohortService } from './service';

/**
 * Cohorts of the classification models (spec S§4): asked once for each view, with its Pageview and the cohorts that
 * this page has evaluated. A failed request is reported and counts as no cohort.
 */
export const classificationCohorts: CohortService = ({ pageview$, cohorts$, context }, deps) =>
  onceRealtime(cohorts$).pipe(
    switchMap(() => pageview$.pipe(distinctUntilKeyChanged('view_id'))),
    withLatestFrom(cohorts$),
    // switchMap: an answer for the view before is of no use.
    switchMap(([{ properties }, { queried, members }]) => {
      const { user_id, client } = context();
      const body = { user_id, url: client.url, page_properties: properties, cohorts: queried ?? members };
      return call(classificationSegment, { body }, deps).pipe(
        map(({ cohorts }) => cohorts),
        catchError((cause: unknown) => {
          deps.report('Failed to fetch classification model cohorts', cause);
          return of([]);
        }),
        map(produced),
      );
    }),
    // The models of the last page say nothing about this one.
    startWith(produced([])),
  );

const produced = (cohorts: readonly string[]): ServiceOutput => ({
  type: 'produced',
  producer: 'classificationModels',
  cohorts,
  reasons: Object.fromEntries(cohorts.map((id) => [id, 'Classification models: they find it on this page.'])),
});
