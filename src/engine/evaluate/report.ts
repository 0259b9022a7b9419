import type { Transition } from '../../model/engineMessages';
import type { Id } from '../language/language';
import type { Query } from './query';

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

/** Collects a report while the engine works. */
export class Findings {
  readonly transitions: Transition[] = [];
  readonly errors: string[] = [];
  private readonly ids: Id[] = [];
  private mustSave = false;

  /** `turn` is a number that no other turn has. */
  constructor(private readonly turn: number) {}

  /** Notes a change of a query's cells or result. */
  changed(query: Query): void {
    if (query.changedIn === this.turn) return;
    query.changedIn = this.turn;
    this.ids.push(query.id);
    this.mustSave = true;
  }

  /** Notes a change of the stored state that belongs to no query. */
  stateChanged(): void {
    this.mustSave = true;
  }

  /**
   * Notes that a definition could not be read, compiled or evaluated (spec S§8). A full stop at the end of the cause is
   * left out, because the message adds one.
   */
  interpretation(id: Id, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.errors.push(`Failed to interpret query ${id}. Got ${message.replace(/\.$/, '')}.`);
  }

  /** The report of what has been collected so far. */
  report(): EngineReport {
    return { transitions: this.transitions, changed: this.ids, errors: this.errors, stateChanged: this.mustSave };
  }
}
