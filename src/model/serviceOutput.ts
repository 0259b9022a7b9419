import type { CohortId } from './cohort';
import type { Producer } from './cohorts';
import type { Data } from './engineCommands';
import type { EventDraft } from './event';

/** All cohorts that a producer gives the visitor at this moment, in place of those that it gave before. */
export interface Produced {
  readonly type: 'produced';
  readonly producer: Producer;
  readonly cohorts: readonly CohortId[];
  /**
   * By cohort that the producer has considered, a sentence that says why the visitor is a member or is not. For
   * `permutive.explain`.
   */
  readonly reasons: Readonly<Record<CohortId, string>>;
}

/** Data that queries look up. */
interface LookupData {
  readonly type: 'data';
  readonly patch: Data;
}

/** An event to be tracked. */
interface Draft {
  readonly type: 'draft';
  readonly draft: EventDraft;
}

/** What a cohort service gives the visit. */
export type ServiceOutput = Produced | LookupData | Draft;
