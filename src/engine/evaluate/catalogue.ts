import { listAt } from '../../primitives/listAt';
import type { CellSpec } from '../cells/cell';
import type { EngineEvent } from '../engineEvent';
import { EventIndex } from '../index/eventIndex';
import { type Probe, probesOf } from '../index/probe';
import type { CellExpr, RestingQueries } from '../language/canonicalLanguage';
import type { Id, LookupName } from '../language/language';
import { Dormant } from './dormant';
import type { Memberships } from './memberships';
import type { Query } from './query';

/**
 * All queries of the page, and for everything that may happen the queries or cells that it concerns: events by name,
 * transitions by cohort, lookups and models by name.
 */
export class Catalogue {
  /** All compiled queries by id. */
  readonly queries = new Map<Id, Query>();
  /** The same queries; the place of each is its number. */
  readonly list: Query[] = [];
  /** The definitions that are not compiled yet. */
  readonly dormant: Dormant;
  /** How many probes all queries have together. */
  probes = 0;
  /** Queries with cells of the current session or view. */
  readonly scoped: Query[] = [];
  /** By name of the event, the predicates that wait for it. Made when the first query names the event. */
  private readonly indexes = new Map<string, EventIndex<Probe>>();
  /** Queries that read a lookup in their own conditions. */
  private readonly byLookup = new Map<LookupName, Query[]>();
  /** Queries that compare the score of a model. */
  private readonly byModel = new Map<string, Query[]>();

  constructor(
    private readonly memberships: Memberships,
    private readonly seed: number,
    resting: RestingQueries | undefined,
  ) {
    this.dormant = new Dormant(resting, seed);
  }

  /**
   * Gives a compiled query its number and enters it, with a probe for each kind of event that its cells count. `order`:
   * its nodes that keep a state.
   */
  add(query: Query, order: ReadonlyMap<CellExpr, number>): void {
    query.number = this.list.push(query) - 1;
    this.queries.set(query.id, query);
    for (const [node, cell] of order) {
      const spec = query.specs[cell] as CellSpec;
      for (const [wait, probe] of probesOf(node, { query, cell, spec }, this.seed)) {
        probe.number = this.probes++;
        if (wait.events === null) this.memberships.of(wait.cohort)[wait.entry ? 'entered' : 'exited'].push(probe);
        else for (const name of wait.events) this.indexOf(name).add(wait.where, probe);
      }
    }
    if (query.specs.some(({ scope }) => scope !== null)) this.scoped.push(query);
    for (const cohort of query.uses.cohorts) this.memberships.of(cohort).dependents.push(query);
    for (const lookup of query.uses.lookups) listAt(this.byLookup, lookup).push(query);
    for (const { model } of query.uses.models) listAt(this.byModel, model).push(query);
  }

  /** Frees what only `add` needs, once the definitions of the page are added. More definitions may come later. */
  settle(): void {
    for (const index of this.indexes.values()) index.settle();
  }

  /** The probes whose predicate holds for the event, of those that are wanted. Each is in the list once. */
  match(event: EngineEvent, isWanted: (probe: Probe) => boolean): readonly Probe[] {
    const matched: Probe[] = [];
    this.indexes.get(event.name)?.match(event, isWanted, matched);
    return matched;
  }

  /** Whether any query waits for events of this name. */
  awaits(name: string): boolean {
    return this.indexes.has(name);
  }

  /** How many queries there are, compiled or not. */
  get size(): number {
    return this.queries.size + this.dormant.size;
  }

  /** Whether there is a query of that id, compiled or not. */
  has(id: Id): boolean {
    return this.queries.has(id) || this.dormant.has(id);
  }

  /** Queries that read a lookup in their own conditions. */
  usersOf(lookup: LookupName): readonly Query[] {
    return this.byLookup.get(lookup) ?? [];
  }

  /** Queries that compare the score of a model, whichever data it scores. */
  usersOfModel(model: string): readonly Query[] {
    return this.byModel.get(model) ?? [];
  }

  private indexOf(name: string): EventIndex<Probe> {
    const index = this.indexes.get(name) ?? new EventIndex<Probe>(this.seed);
    this.indexes.set(name, index);
    return index;
  }
}
