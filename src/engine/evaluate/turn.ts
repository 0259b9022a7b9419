import type { Transition } from '../../model/engineMessages';
import type { Id } from '../language/language';
import type { Query } from './query';
import type { EngineReport } from './report';

/**
 * The queries that have to be evaluated, each once. A query carries its mark itself, because asking a set at every
 * change of a cell would cost more.
 */
export class Dirty {
  private queries: Query[] = [];

  /** Adds a query; does nothing when it is in already. */
  add(query: Query): void {
    if (query.isDirty) return;
    query.isDirty = true;
    this.queries.push(query);
  }

  /** Hands over the queries that are in, and is empty afterwards. */
  take(): readonly Query[] {
    const taken = this.queries;
    if (taken.length === 0) return taken;
    this.queries = [];
    for (const query of taken) query.isDirty = false;
    return taken;
  }
}

/**
 * One call of the engine: the queries that it has to evaluate, and the report of what it found. All turns share one
 * list of dirty queries.
 */
export class Turn {
  readonly transitions: Transition[] = [];
  readonly errors: string[] = [];
  private readonly ids: Id[] = [];
  private mustSave = false;

  /** `turn` is a number that no other turn has. By it, queries are marked as changed. */
  constructor(
    private readonly turn: number,
    readonly dirty: Dirty,
  ) {}

  /** Notes that cells of a query changed in whatever way, so that it must be evaluated. */
  readonly touch = (query: Query): void => {
    this.dirty.add(query);
    this.changed(query);
    query.isUnsynced = true;
  };

  /** Notes that cells of a query took in an event. */
  readonly fed = (query: Query): void => {
    // More events leave the result of a rising query true. More events can only put off the instant at which the result
    // ends. That instant was noted when the query was last evaluated. A wake-up that comes too early evaluates the
    // query again.
    if (!query.result || !query.isRising) this.dirty.add(query);
    this.changed(query);
    query.isUnsynced = true;
  };

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
