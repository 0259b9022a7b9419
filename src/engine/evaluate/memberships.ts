import type { Probe } from '../index/probe';
import type { Id } from '../language/language';
import type { Query } from './query';

/** A cohort as others see it, by its id. The cohort need not be defined by a query of the page. */
export interface KnownCohort {
  /** Id of the cohort and of the query that defines it. */
  readonly id: Id;
  /** Whether the visitor is in it. Always false where no query of the page defines it. */
  member: boolean;
  /** Queries whose condition names the cohort. */
  readonly dependents: Query[];
  /** Cells that count entries into the cohort. */
  readonly entered: Probe[];
  /** Cells that count exits from it. */
  readonly exited: Probe[];
}

/** All cohorts that are defined or named by a condition. */
export class Memberships {
  private readonly byId = new Map<Id, KnownCohort>();

  /** The cohort of an id, always the same object. The object is made at the first mention of the id. */
  of(id: Id): KnownCohort {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const membership = { id, member: false, dependents: [], entered: [], exited: [] };
    this.byId.set(id, membership);
    return membership;
  }

  /** Whether the visitor is in a cohort; false for an id that was never mentioned. */
  isMember(id: Id): boolean {
    return this.byId.get(id)?.member === true;
  }
}
