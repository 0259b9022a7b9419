import { map, merge, mergeMap, NEVER, type Observable, take, timer } from 'rxjs';

import type { ExplainAnswer, ExplainCall } from '../api/publicCalls';
import type { Experiment } from '../contracts/experiment';
import { known } from '../model/answered';
import type { NumberedEvent } from '../model/event';
import { groupText, waitingText } from '../model/explanation';
import type { BacklogDeps } from '../sinks/delivery/backlog';
import type { Delivering } from '../sinks/delivery/deliver';
import { journalledEvents } from '../sinks/delivery/journalledEvents';
import type { EngineStreams } from './fromEngine';
import type { holdCohorts } from './holdCohorts';
import type { Visitor } from './visitParts';

/** Who is asked why a cohort holds or does not. */
export interface Explainers {
  readonly engine: Pick<EngineStreams, 'explain'>;
  readonly held: Pick<ReturnType<typeof holdCohorts>, 'reasons'>;
  readonly visitor: Pick<Visitor, 'userId'>;
  /** The page, whose id its records of the journal have. */
  readonly delivery: Pick<Delivering, 'page'>;
}

/** What a call is answered with. */
export type Told = Parameters<ExplainCall['done']>;

/**
 * Emits what a call of `explain` is answered with: what its query says, what services say, the visitor's group where
 * the project has an experiment with the cohort, and how many events wait to be counted. The words are null where
 * nobody knows the cohort.
 *
 * The journal is read before the engine is asked. The engine evaluates in order, so by its answer it has counted all
 * events that this page had given it. In the journal these are until the engine's state is saved.
 */
export const explained = (
  { id, patienceMs }: Pick<ExplainCall, 'id' | 'patienceMs'>,
  { engine, held, visitor, delivery }: Explainers,
  deps: Omit<BacklogDeps, 'userId' | 'report'> & { readonly experiment: Pick<Experiment, 'groupOf'> },
): Observable<Told> =>
  journalledEvents(delivery.page, { ...deps, userId: visitor.userId }).pipe(
    mergeMap((left) => {
      const events: readonly NumberedEvent[] = left.isKnown ? left.value : [];
      const impatient$ = patienceMs === undefined ? NEVER : timer(patienceMs).pipe(map(() => undefined));
      return merge(engine.explain(id, events), impatient$).pipe(
        take(1),
        map((said): Told => {
          const reasons = held.reasons(id);
          // An engine that has not read the visitor's history has counted nothing.
          const waiting = left.isKnown ? known(said?.type === 'explained' ? said.waiting : events.length) : left;
          const answer = { said, reasons, waiting };
          return [wordsOf(answer, groupText(deps.experiment.groupOf(visitor.userId(), id))), answer];
        }),
      );
    }),
  );

const wordsOf = ({ said, reasons, waiting }: ExplainAnswer, group: string | null): string | null => {
  const lines = [said?.text ?? null, ...reasons].filter((line) => line !== null);
  return lines.length === 0 ? null : [...lines, group, waitingText(waiting)].filter((line) => line !== null).join('\n');
};
