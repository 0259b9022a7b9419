import { connect, filter, map, merge, takeUntil, timer } from 'rxjs';

import type { ServiceOutput } from '../model/serviceOutput';
import { boundedCodes } from './boundedCodes';
import type { CohortService } from './service';

/**
 * Cohorts of the contextual service (spec S§4): those of the page that the visitor sees. The service is asked where an
 * addon reads its codes, and not from here. What stood before, on the last page or for another address, stands until
 * the service answers. A page of which nobody asks for `requestTimeout` has no such cohorts.
 */
export const contextualCohorts: CohortService = ({ contextual$ }, { setting }) =>
  contextual$.pipe(
    filter((answer) => answer !== undefined),
    map(({ cohorts }) => boundedCodes(cohorts, (code) => code)),
    connect((codes$) =>
      merge(
        codes$,
        timer(setting('requestTimeout')).pipe(
          map(() => []),
          takeUntil(codes$),
        ),
      ),
    ),
    map(producedByContext),
  );

const producedByContext = (cohorts: readonly string[]): ServiceOutput => ({
  type: 'produced',
  producer: 'contextual',
  cohorts,
  reasons: Object.fromEntries(cohorts.map((id) => [id, 'Contextual: the service finds it on this page.'])),
});
