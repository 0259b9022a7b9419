import type { Scores } from '../models/scores';
import type { Catalogue } from './catalogue';
import type { Present } from './context';
import type { Feeding } from './feeding';
import { Interpreter } from './interpreter';
import type { Memberships } from './memberships';
import { compareIds, isActive, type Query } from './query';
import type { Dirty, Turn } from './turn';

/**
 * The maximum number of waves after the first. Cohorts that still change then depend on one another in a cycle (spec
 * S§4).
 */
const maxWaves = 100;

/** What evaluation reads and changes. */
export interface SettlingParts {
  readonly catalogue: Catalogue;
  readonly memberships: Memberships;
  readonly scores: Scores;
  readonly feeding: Feeding;
  readonly present: Present;
  /** Queries to be evaluated, filled by the caller and by each wave. */
  readonly dirty: Dirty;
}

/**
 * Evaluates queries in waves. All evaluations of a wave see the memberships of the wave before, and what flips takes
 * effect together at the end of the wave. So the result does not depend on the order of the queries. A chain of cohorts
 * that depend on one another settles in as many waves as it is long, plus one; only a cycle can go on for ever, and is
 * stopped. A wave costs one evaluation for each dirty query.
 * Results that time changes are not looked for: each evaluation notes the instant at which its result would next change
 * by time alone.
 */
export class Settling {
  /** A lower bound of the next instant at which time changes a result, over all queries. */
  private nextFlip = Infinity;
  private readonly interpreter = new Interpreter();
  /**
   * By number of the query, the next instant at which time alone may change its result; Infinity where there is none.
   * An array of numbers, because all of them are looked through.
   */
  private flipAt = new Float64Array(0);

  constructor(private readonly parts: SettlingParts) {}

  /**
   * Marks the queries whose time has come. Costs one comparison when there are none, which is the case at nearly every
   * event and tick.
   */
  addDue(): void {
    const { present, catalogue, dirty } = this.parts;
    const { now } = present;
    if (now < this.nextFlip) return;
    const { flipAt } = this;
    let next = Infinity;
    for (let i = 0; i < flipAt.length; i++) {
      const at = flipAt[i] as number;
      if (at <= now) {
        dirty.add(catalogue.list[i] as Query);
        // Evaluation sets it again, at once or when the query is active again.
        flipAt[i] = Infinity;
      } else if (at < next) next = at;
    }
    // The bound may have been too low; this pass has made it exact.
    this.nextFlip = next;
  }

  /**
   * Evaluates until nothing changes any more, or a cycle is found. Where it stops at a cycle, the memberships of the
   * last wave stand, and the next call works as usual (spec S§8).
   */
  settle(turn: Turn): void {
    for (let wave = 0; ; wave++) {
      const queries = this.parts.dirty.take();
      if (queries.length === 0) return;
      if (wave > maxWaves) {
        turn.errors.push('Exceeded 100 iterations when producing transition events.');
        return;
      }
      // Nothing takes effect before all dirty queries are evaluated.
      const flips: Query[] = [];
      for (const query of queries) if (this.flips(query, turn)) flips.push(query);
      // In the order of ids, so that reports do not depend on the order of evaluation.
      this.commit(flips.length > 1 ? flips.sort((a, b) => compareIds(a.id, b.id)) : flips, turn);
    }
  }

  /**
   * Sets a result without reporting it, as when another tab has stored it. Marks all queries that depend on the cohort
   * or on a model that scores it.
   */
  setResult(query: Query, result: boolean): void {
    const { dirty } = this.parts;
    query.result = result;
    query.activations = result ? query.platforms : [];
    const membership = this.parts.memberships.of(query.id);
    membership.member = result;
    for (const dependent of membership.dependents) dirty.add(dependent);
    for (const model of this.parts.scores.onTransition(query.id, result))
      for (const user of this.parts.catalogue.usersOfModel(model)) dirty.add(user);
  }

  /**
   * Evaluates a query and answers whether its result changes. Notes when time may change it next. A query that throws
   * is reported, keeps its result and is off for this page.
   */
  private flips(query: Query, turn: Turn): boolean {
    if (!isActive(query)) return false;
    try {
      const holds = this.interpreter.evaluate(query);
      const at = this.nextFlipOf(query);
      // Queries may be added at any time: by cloud lift, long after the start.
      if (query.number >= this.flipAt.length) this.grow();
      this.flipAt[query.number] = at;
      if (at < this.nextFlip) this.nextFlip = at;
      return holds !== query.result;
    } catch (error) {
      query.failed = true;
      turn.interpretation(query.id, error);
      return false;
    }
  }

  /** Makes room for all queries there are. Queries that are not evaluated yet have no flip. */
  private grow(): void {
    const grown = new Float64Array(this.parts.catalogue.list.length).fill(Infinity);
    grown.set(this.flipAt);
    this.flipAt = grown;
  }

  /** The earliest instant at which time alone changes the comparison of any cell. The result may stay the same then. */
  private nextFlipOf({ specs, cells }: Query): number {
    let earliest = Infinity;
    for (let i = 0; i < specs.length; i++) {
      const spec = specs[i];
      if (spec === undefined) continue;
      const at = spec.kind.flipAt(spec, cells.own[i] ?? [], cells.others[i] ?? [], this.parts.present);
      if (at < earliest) earliest = at;
    }
    return earliest;
  }

  /** Sets and reports the results that a wave has flipped; what follows from them is left to the next wave. */
  private commit(flips: readonly Query[], turn: Turn): void {
    for (const query of flips) this.setResult(query, !query.result);
    for (const query of flips) {
      const { id, result } = query;
      turn.changed(query);
      turn.transitions.push({ id, entry: result, time: this.parts.present.now });
      this.parts.feeding.transition(this.parts.memberships.of(id), result, turn.fed);
    }
  }
}
