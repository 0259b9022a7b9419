import type { Query } from './query';

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
