import type { Scores } from '../models/scores';
import type { Catalogue } from './catalogue';
import type { Present } from './context';
import type { Dirty } from './dirty';
import type { Feeding } from './feeding';
import { Interpreter } from './interpreter';
import type { Memberships } from './memberships';
import { compareIds, isActive, type Query } from './query';
import type { Findings } from './report';

/** A chain of cohorts this long is a cycle. */
const maxWaves = 100;

export interface SettlingParts {
  readonly catalogue: Catalogue;
  readonly memberships: Memberships;
  readonly scores: Scores;
  readonly feeding: Feeding;
  readonly present: Present;
  readonly dirty: Dirty;
}

/** Who is told of what evaluation brings. */
interface Listener {
  readonly findings: Findings;
  readonly fed: (query: Query) => void;
}

/**
 * Evaluates queries in waves: all evaluations of a wave see the memberships of the one before, so that the
 * result does not depend on the order of the queries.
 */
export class Settling {
  /** A lower bound of the next instant at which time changes a result. */
  private nextFlip = Infinity;
  private readonly interpreter = new Interpreter();
  /**
   * By number of the query, the next instant at which time alone may change its result: all in one place, for all are
   * looked through.
   */
  private flipAt = new Float64Array(0);

  constructor(private readonly parts: SettlingParts) {}

  /** Adds the queries whose time has come; costs one comparison when there are none. */
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
    this.nextFlip = next;
  }

  /** Evaluates until nothing changes any more. */
  settle(listener: Listener): void {
    const { findings } = listener;
    for (let wave = 0; ; wave++) {
      const queries = this.parts.dirty.take();
      if (queries.length === 0) return;
      if (wave > maxWaves) {
        findings.errors.push('Exceeded 100 iterations when producing transition events.');
        return;
      }
      const flips: Query[] = [];
      for (const query of queries) if (this.flips(query, findings)) flips.push(query);
      this.commit(flips.length > 1 ? flips.sort((a, b) => compareIds(a.id, b.id)) : flips, listener);
    }
  }

  /** Sets a result without telling anyone, as when it was stored by another tab. */
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

  private flips(query: Query, findings: Findings): boolean {
    if (!isActive(query)) return false;
    try {
      const holds = this.interpreter.evaluate(query);
      const at = this.nextFlipOf(query);
      if (query.number >= this.flipAt.length) this.grow();
      this.flipAt[query.number] = at;
      if (at < this.nextFlip) this.nextFlip = at;
      return holds !== query.result;
    } catch (error) {
      query.failed = true;
      findings.interpretation(query.id, error);
      return false;
    }
  }

  private grow(): void {
    const grown = new Float64Array(this.parts.catalogue.list.length).fill(Infinity);
    grown.set(this.flipAt);
    this.flipAt = grown;
  }

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

  /** Makes the flips of a wave known; what follows from them is for the next one. */
  private commit(flips: readonly Query[], { findings, fed }: Listener): void {
    for (const query of flips) this.setResult(query, !query.result);
    for (const query of flips) {
      const { id, result } = query;
      findings.changed(query);
      findings.transitions.push({ id, entry: result, time: this.parts.present.now });
      this.parts.feeding.transition(this.parts.memberships.of(id), result, fed);
    }
  }
}
