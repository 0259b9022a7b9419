import { catchError, distinctUntilChanged, map, of, switchMap } from 'rxjs';

import { contentUrls } from '../contracts/contentUrl';
import { affinity } from '../endpoints/affinity';
import { call } from '../endpoints/call';
import { codeOf, isStandard } from '../model/cohort';
import { messageOf } from '../model/errors';
import type { ServiceOutput } from '../model/serviceOutput';
import { boundedCodes } from './boundedCodes';
import type { CohortService } from './service';

/** A standard cohort holds from this value on, where the project does not say otherwise (contract: cohort services). */
const defaultThreshold = 0.5;

/**
 * Standard-audience affinity: how well the page's content fits each standard cohort (spec S§7). Asked once for each
 * address that is viewed. A failed request is reported and counts as no cohort.
 */
export const affinityCohorts: CohortService = (streams, deps) => {
  const { standardAudiences, cohortCodes } = deps.project;
  const threshold = standardAudiences?.threshold ?? defaultThreshold;
  // A project without standard cohorts has no use for the answer, and the last page may have left some.
  if (standardAudiences === undefined && !Object.keys(cohortCodes).some(isStandard))
    return of(producedByAffinity({}, threshold));
  return streams.pageview$.pipe(
    map(contentUrls(streams, deps)),
    distinctUntilChanged(),
    // switchMap: the answer for an address that the visitor has left is of no use.
    switchMap((url) =>
      call(affinity, { query: [['url', url]] }, deps).pipe(
        map(({ affinity_values }) => affinity_values),
        catchError((cause: unknown) => {
          deps.report(`Failed to fetch affinity cohorts: ${messageOf(cause)}`, cause);
          return of({});
        }),
      ),
    ),
    map((values) => producedByAffinity(values, threshold)),
  );
};

const producedByAffinity = (values: Readonly<Record<string, number>>, threshold: number): ServiceOutput => {
  const known = boundedCodes(
    Object.entries(values).filter(([id]) => isCohortNumber(id)),
    ([id]) => id,
  );
  return {
    type: 'produced',
    producer: 'affinity',
    cohorts: known.flatMap(([id, value]) => (value >= threshold ? [id] : [])),
    reasons: Object.fromEntries(
      known.map(([id, value]) => [id, `Standard audience: the page's affinity is ${value}, needs ${threshold}.`]),
    ),
  };
};

const isCohortNumber = (id: string): boolean => typeof codeOf(id) === 'number';
