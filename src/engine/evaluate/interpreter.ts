import type { Id } from '../language/language';
import type { Query } from './query';

/** Evaluates queries, and lets each say for which platforms its cohort is activated. */
export class Interpreter {
  /** The query that is being evaluated; null between evaluations. */
  private current: Query | null = null;

  /**
   * The truth of a query's condition. Also sets for which platforms its cohort is activated. Throws what the condition
   * throws.
   */
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

  /**
   * Sets the platforms for which a cohort is activated. A query may do so for itself only; anything else throws (spec
   * S§5).
   */
  setActivation(id: Id, platforms: readonly string[]): void {
    if (this.current?.id !== id)
      throw new Error('The query interpreter may set a segment activation only for the query it is evaluating');
    this.current.activations = platforms;
  }
}

const noPlatforms: readonly string[] = [];
