import type { CohortId } from './cohort';
import type { Producer } from './cohorts';
import type { Data } from './engineCommands';
import type { Event, EventDraft } from './event';
import type { Startup } from './startup';

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

/** An event whose values came after it was tracked, with them. */
interface Filled {
  readonly type: 'filled';
  readonly event: Event;
}

/** An event to be tracked. */
interface Draft {
  readonly type: 'draft';
  readonly draft: EventDraft;
}

/** The secure signal that bidders get of the visitor; null where there is none. */
interface SecureSignal {
  readonly type: 'secureSignal';
  readonly signal: string | null;
}

/** What the start-up of the visit has found; null where the code for it could not be loaded. Once in a visit. */
interface Started {
  readonly type: 'started';
  readonly startup: Startup | null;
}

/** What a cohort service gives the visit. */
export type ServiceOutput = Produced | LookupData | Filled | Draft | SecureSignal | Started;
