import type { Transition } from '../../model/engineMessages';
import type { Id } from '../language/language';
import type { Query } from './query';

/** What one call of the engine brought about. */
export interface Report {
  readonly transitions: readonly Transition[];
  /** The queries whose state or result changed. */
  readonly changed: readonly Id[];
  readonly errors: readonly string[];
  /** Whether there is something to save. */
  readonly stateChanged: boolean;
}

/** Collects a report while the engine works. */
export class Findings {
  readonly transitions: Transition[] = [];
  readonly errors: string[] = [];
  private readonly ids: Id[] = [];
  private mustSave = false;

  /** `turn` is a number of its own. */
  constructor(private readonly turn: number) {}

  changed(query: Query): void {
    if (query.changedIn === this.turn) return;
    query.changedIn = this.turn;
    this.ids.push(query.id);
    this.mustSave = true;
  }

  /** Notes a change of the stored state that is no query's. */
  stateChanged(): void {
    this.mustSave = true;
  }

  interpretation(id: Id, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.errors.push(`Failed to interpret query ${id}. Got ${message.replace(/\.$/, '')}.`);
  }

  report(): Report {
    return { transitions: this.transitions, changed: this.ids, errors: this.errors, stateChanged: this.mustSave };
  }
}
