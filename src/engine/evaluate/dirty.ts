import type { Query } from './query';

/**
 * The queries that have to be evaluated, each once. They carry the mark themselves: a set would be asked for every
 * change.
 */
export class Dirty {
  private queries: Query[] = [];

  add(query: Query): void {
    if (query.isDirty) return;
    query.isDirty = true;
    this.queries.push(query);
  }

  /** Hands over those that there are, and is empty. */
  take(): readonly Query[] {
    const taken = this.queries;
    this.queries = [];
    for (const query of taken) query.isDirty = false;
    return taken;
  }
}
