import { filter, ignoreElements, type Observable, tap } from 'rxjs';

import { codeOf } from '../model/cohort';
import type { Cohorts } from '../model/cohorts';
import type { Json } from '../model/json';
import { partnerKeys } from '../model/storageKeys';
import type { TextStorage } from '../platform/platform';

/**
 * Keeps `_psegs`, the numbers of all cohorts of the visitor, in local storage, where Prebid and partners look
 * (contract: storage).
 */
export const segmentKeys = (
  cohorts$: Observable<Cohorts>,
  { local, json }: { readonly local: TextStorage; readonly json: Json },
): Observable<never> =>
  cohorts$.pipe(
    // Cohorts of the last page are stored already.
    filter(({ isRealtime }) => isRealtime),
    tap(({ members }) =>
      local.write(partnerKeys.all, json.stringify(members.map(codeOf).filter((code) => typeof code === 'number'))),
    ),
    ignoreElements(),
  );
