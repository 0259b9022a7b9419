import { map, Observable, of, timeout } from 'rxjs';

import type { PublicCalls } from '../api/publicCalls';
import type { Answered } from '../model/answered';
import type { CohortExplanation } from '../model/explanation';

/** Why the visitor is in a cohort or not. */
export interface ExplainedCohort {
  /** Whether an engine has answered, if only that the visitor's history could not be read yet. */
  readonly isAnswered: boolean;
  readonly isUnread: boolean;
  /** The words of an engine that could not explain a query; null where it could, or there is none. */
  readonly notice: string | null;
  /** What its query says; null where no query has this number. */
  readonly query: CohortExplanation | null;
  /** What services say. */
  readonly reasons: readonly string[];
  /** How many accepted events no engine of the visitor has counted. */
  readonly waiting: Answered<number>;
}

/** Without an engine nobody answers; it may also just be starting. */
const enginePatienceMs = 3000;
/** The journal is read before the engine is asked. */
const journalPatienceMs = 1500;

/**
 * Asks why the visitor is in a cohort or not. Cold: emits once; null where nobody has answered in time, as without
 * consent.
 */
export const askExplanation = (
  id: string,
  { explain }: Pick<PublicCalls, 'explain'>,
  patienceMs = enginePatienceMs,
): Observable<ExplainedCohort | null> =>
  new Observable<Parameters<Parameters<PublicCalls['explain']>[0]['done']>[1]>((asked) => {
    explain({
      id,
      patienceMs,
      done: (_, answer) => {
        asked.next(answer);
        asked.complete();
      },
    });
  }).pipe(
    map((answer) => {
      if (answer === undefined) return null;
      const { said, reasons, waiting } = answer;
      const query = (said?.type === 'explained' && said.explanation) || null;
      return {
        isAnswered: said !== undefined,
        isUnread: said?.type === 'unread',
        notice: query === null ? (said?.text ?? null) : null,
        query,
        reasons,
        waiting,
      };
    }),
    timeout({ first: patienceMs + journalPatienceMs, with: () => of(null) }),
  );
