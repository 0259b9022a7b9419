import type { Transition } from '../../model/engineMessages';
import type { Id } from '../language/language';

/** What one call of the engine brought about. Lists are empty where nothing happened. */
export interface EngineReport {
  /** Cohorts entered and left, in the order in which it happened. A cohort may occur more than once. */
  readonly transitions: readonly Transition[];
  /** The queries whose cells or result changed, each once. */
  readonly changed: readonly Id[];
  /** Messages for the error report. */
  readonly errors: readonly string[];
  /** Whether the chunk to store differs from before. */
  readonly stateChanged: boolean;
}

/** What it brought about to append the counts of a server. */
export interface AppendReport extends EngineReport {
  /** Messages about counts that could not be appended; `errors` has those about definitions. */
  readonly appendErrors: readonly string[];
}

/** The report of a call that has brought about nothing. */
export const nothingNew: EngineReport = { transitions: [], changed: [], errors: [], stateChanged: false };

/** Runs all steps without a pause and answers the report. */
export const runToEnd = <Result>(steps: Generator<void, Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};
