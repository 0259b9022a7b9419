import type { Catalogue } from './catalogue';
import type { Present } from './context';
import type { Feeding } from './feeding';
import { Interpreter } from './interpreter';
import type { Memberships } from './memberships';
import { compareIds, isActive, type Query } from './query';
import type { Findings } from './report';
import type { Scores } from './scores';

/** A chain of cohorts this long is a cycle. */
const maxWaves = 100;

export interface SettlingParts {
  readonly catalogue: Catalogue;
  readonly memberships: Memberships;
  readonly scores: Scores;
  readonly feeding: Feeding;
  readonly present: Present;
}

/**
 * Evaluates queries in waves: all evaluations of a wave see the memberships of the one before, so that the
 * result does not depend on the order of the queries.
 */
export class Settling {
  /** A lower bound of the next instant at which time changes a result. */
  private nextFlip = Infinity;
  private readonly interpreter = new Interpreter();

  constructor(private readonly parts: SettlingParts) {}

  /** Adds the queries whose time has come; costs one comparison when there are none. */
  addDue(dirty: Set<Query>): void {
    const { now } = this.parts.present;
    if (now < this.nextFlip) return;
    this.nextFlip = Infinity;
    for (const query of this.parts.catalogue.queries.values()) {
      if (query.flipAt <= now) {
        dirty.add(query);
        // Evaluation sets it again, at once or when the query is active again.
        query.flipAt = Infinity;
      } else if (query.flipAt < this.nextFlip) this.nextFlip = query.flipAt;
    }
  }

  /** Evaluates until nothing changes any more. */
  settle(first: ReadonlySet<Query>, findings: Findings, onFed: (query: Query) => void): void {
    let dirty = first;
    for (let wave = 0; dirty.size > 0; wave++) {
      if (wave > maxWaves) {
        findings.errors.push('Exceeded 100 iterations when producing transition events.');
        return;
      }
      const flips = [...dirty].filter((query) => this.flips(query, findings)).sort((a, b) => compareIds(a.id, b.id));
      dirty = this.commit(flips, findings, onFed);
    }
  }

  /** Sets a result without telling anyone, as when it was stored by another tab. */
  setResult(query: Query, result: boolean, dirty: Set<Query>): void {
    query.result = result;
    query.activations = result ? query.platforms : [];
    const membership = this.parts.memberships.of(query.id);
    membership.member = result;
    for (const dependent of membership.dependents) dirty.add(dependent);
    for (const model of this.parts.scores.onTransition(query.id, result)) for (const user of this.parts.catalogue.usersOfModel(model)) dirty.add(user);
  }

  private flips(query: Query, findings: Findings): boolean {
    if (!isActive(query)) return false;
    try {
      const holds = this.interpreter.evaluate(query);
      query.flipAt = this.flipAt(query);
      if (query.flipAt < this.nextFlip) this.nextFlip = query.flipAt;
      return holds !== query.result;
    } catch (error) {
      query.failed = true;
      findings.interpretation(query.id, error);
      return false;
    }
  }

  private flipAt({ specs, cells }: Query): number {
    let earliest = Infinity;
    for (let i = 0; i < specs.length; i++) {
      const spec = specs[i];
      if (spec === undefined) continue;
      const at = spec.kind.flipAt(spec, cells.own[i] ?? [], cells.others[i] ?? [], this.parts.present);
      if (at < earliest) earliest = at;
    }
    return earliest;
  }

  /** Makes the flips of a wave known; answers which queries the next wave has to look at. */
  private commit(flips: readonly Query[], findings: Findings, onFed: (query: Query) => void): Set<Query> {
    const dirty = new Set<Query>();
    for (const query of flips) this.setResult(query, !query.result, dirty);
    const fed = (query: Query): void => {
      dirty.add(query);
      onFed(query);
    };
    for (const { id, result } of flips) {
      findings.changed(id);
      findings.transitions.push({ id, entry: result, time: this.parts.present.now });
      this.parts.feeding.transition(this.parts.memberships.of(id), result, fed);
    }
    return dirty;
  }
}
