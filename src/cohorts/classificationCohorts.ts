import { catchError, distinctUntilKeyChanged, EMPTY, map, switchMap, take, withLatestFrom } from 'rxjs';

import { contentUrls } from '../contracts/contentUrl';
import { call } from '../endpoints/call';
import { classificationSegment } from '../endpoints/classificationSegment';
import { queriedOf } from '../model/cohorts';
import type { ServiceOutput } from '../model/serviceOutput';
import { boundedCodes } from './boundedCodes';
import { forEachUser } from './forEachUser';
import { pagePropertiesOf } from './pagePropertiesOf';
import type { CohortService } from './service';

/**
 * Cohorts of the classification models (spec S§4): asked once for each view, with its Pageview and the cohorts of
 * queries that this page has evaluated. A failed request is reported, and says nothing: what was known stands.
 */
export const classificationCohorts: CohortService = (streams, deps) =>
  forEachUser(streams, (user_id, evaluated$) =>
    evaluated$.pipe(
      take(1),
      switchMap(() => streams.pageview$.pipe(distinctUntilKeyChanged('view_id'))),
      withLatestFrom(evaluated$),
      // switchMap: an answer for the view before is of no use.
      switchMap(([pageview, cohorts]) => {
        const body = {
          user_id,
          url: contentUrls(streams, deps)(pageview),
          page_properties: pagePropertiesOf(pageview),
          cohorts: queriedOf(cohorts),
        };
        return call(classificationSegment, { body }, deps).pipe(
          map((answer) => produced(boundedCodes(answer.cohorts, (code) => code))),
          catchError((cause: unknown) => {
            deps.report('Failed to fetch classification model cohorts', cause);
            return EMPTY;
          }),
        );
      }),
    ),
  );

const produced = (cohorts: readonly string[]): ServiceOutput => ({
  type: 'produced',
  producer: 'classificationModels',
  cohorts,
  reasons: Object.fromEntries(cohorts.map((id) => [id, 'Classification models: they find it on this page.'])),
});
