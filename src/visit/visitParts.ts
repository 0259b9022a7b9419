import type { VisitStreams } from '../api/observer';
import type { Evaluation } from './evaluation';
import type { Visitor } from './visitor';
import type { VisitPage } from './visitPage';

/** Who visits, where, and what the engine makes of it. */
export interface VisitParts {
  readonly visitor: Visitor;
  readonly page: VisitPage;
  readonly engine: Evaluation;
}

/** What observers read of a visit, beside what only the runtime knows. */
export const observedStreams = ({
  page,
  engine,
}: Pick<VisitParts, 'page' | 'engine'>): Omit<VisitStreams, 'begun$' | 'stage$' | 'service$' | 'delivery$'> => ({
  context: page.context,
  event$: page.event$,
  pageExit$: page.pageExit$,
  cohorts$: engine.cohorts$,
  transition$: engine.transition$,
  metrics$: engine.metrics$,
});
