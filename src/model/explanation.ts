import type { Answered } from './answered';
import type { ExperimentGroup } from './cohort';

// Why a visitor is in a cohort or not, in parts that the inspector shows. The engine's host makes it in its services,
// and it is not decoded, because both are of one build.

/** One clause of a query. */
export interface ClauseExplanation {
  /** The tag by which the query language names it, such as `and` or `event`. */
  readonly node: string;
  readonly holds: boolean;
  /** What it is about, such as `Pageview events in the last 7 days`; `all of`, `any of` and the like for groups. */
  readonly about: string;
  /** What the visitor has, and what is needed, where the clause compares a number. In groups: clauses that hold. */
  readonly have?: number;
  readonly needs?: string;
  /** What this device has of it, where others have some, too. */
  readonly haveHere?: number;
  /** ISO time at which time alone changes the clause. */
  readonly changesAt?: string;
  /** Events that count, newest first, at most 20, of those whose history is known. */
  readonly events: readonly CountedEvent[];
  /** What this device has counted since the time of each bucket of the window, newest first. */
  readonly buckets: readonly CountedBucket[];
  readonly of: readonly ClauseExplanation[];
}

/** `time`: ISO. */
export interface CountedEvent {
  readonly name: string;
  readonly time: string;
}

/** `from`: ISO time. `weight`: a number of events or values, or a sum. */
export interface CountedBucket {
  readonly from: string;
  readonly weight: number;
}

/** Why a visitor is in the cohort of a query or not. */
export interface CohortExplanation {
  readonly id: string;
  /** Whether the visitor is in it. While the query is held or has failed, the clauses may say otherwise. */
  readonly result: boolean;
  /** Data is pending, or the past is being replayed. */
  readonly held: boolean;
  /** Evaluation threw an error on this page. */
  readonly failed: boolean;
  /** ISO time at which the result changes if nothing happens until then. */
  readonly changesAt?: string;
  /** What would change the result, such as `2 more Pageview events in the last 7 days`; null where nothing can. */
  readonly flip: string | null;
  readonly clause: ClauseExplanation;
}

/** What is said while nobody can explain anything, because the store has not answered. */
export const unreadText = "The visitor's history could not be read yet.";

/** The line about the group of a visitor in whose experiment a cohort is; null where it is in none. */
export const groupText = (group: ExperimentGroup | undefined): string | null => {
  if (group === undefined) return null;
  return group === 'control'
    ? 'The visitor is in the control group: neither the page nor partners are told of the cohort.'
    : 'The visitor is in the exposed group of the experiment.';
};

/**
 * The line about accepted events that no engine of the visitor has counted; null where there are none. The clauses of
 * an explanation say nothing of such events.
 */
export const waitingText = (waiting: Answered<number>): string | null => {
  if (!waiting.isKnown) return 'It is unknown how many events wait to be counted.';
  if (waiting.value === 0) return null;
  return waiting.value === 1 ? '1 event waits to be counted.' : `${waiting.value} events wait to be counted.`;
};
