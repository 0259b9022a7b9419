import type { Id } from '../language/language';
import type { Query } from './query';

/** Evaluates queries, and lets each say for which platforms its cohort is activated. */
export class Interpreter {
  private current: Query | null = null;

  evaluate(query: Query): boolean {
    this.current = query;
    try {
      const result = query.holds();
      this.setActivation(query.id, result ? query.platforms : noPlatforms);
      return result;
    } finally {
      this.current = null;
    }
  }

  /** A query speaks for itself only. */
  setActivation(id: Id, platforms: readonly string[]): void {
    if (this.current?.id !== id)
      throw new Error('The query interpreter may set a segment activation only for the query it is evaluating');
    this.current.activations = platforms;
  }
}

const noPlatforms: readonly string[] = [];
