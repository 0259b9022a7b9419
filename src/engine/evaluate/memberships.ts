import type { Probe } from '../index/probe';
import type { Id } from '../language/language';
import type { Query } from './query';

/** A cohort as others see it; it need not exist. */
export interface KnownCohort {
  readonly id: Id;
  member: boolean;
  /** Queries whose condition names the cohort. */
  readonly dependents: Query[];
  /** Cells that count its entries and exits. */
  readonly entered: Probe[];
  readonly exited: Probe[];
}

/** All cohorts that are defined or named. */
export class Memberships {
  private readonly byId = new Map<Id, KnownCohort>();

  of(id: Id): KnownCohort {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const membership = { id, member: false, dependents: [], entered: [], exited: [] };
    this.byId.set(id, membership);
    return membership;
  }

  isMember(id: Id): boolean {
    return this.byId.get(id)?.member === true;
  }
}
