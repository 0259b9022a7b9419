import { map, Observable, of, timeout } from 'rxjs';

import type { PublicCalls } from '../api/publicCalls';
import type { CohortExplanation } from '../model/explanation';

/** Why the visitor is in a cohort or not. */
export interface ExplainedCohort {
  /** What its query says; null where no query has this number. */
  readonly query: CohortExplanation | null;
  /** What services say. */
  readonly reasons: readonly string[];
}

/** Without an engine nobody answers; it may also just be starting. */
const patienceMs = 3000;

/** Asks why the visitor is in a cohort or not. Cold: emits once; null where nobody has answered within 3 s. */
export const askExplanation = (
  id: string,
  { explain }: Pick<PublicCalls, 'explain'>,
): Observable<ExplainedCohort | null> =>
  new Observable<Parameters<Parameters<PublicCalls['explain']>[0]['tell']>>((asked) => {
    explain({
      id,
      tell: (...answer) => {
        asked.next(answer);
        asked.complete();
      },
    });
  }).pipe(
    map(([words, answer]) => ({
      query: answer?.explanation ?? null,
      // The words begin with those of the query.
      reasons: (words ?? '')
        .slice(answer?.text?.length ?? 0)
        .split('\n')
        .filter((line) => line !== ''),
    })),
    timeout({ first: patienceMs, with: () => of(null) }),
  );
