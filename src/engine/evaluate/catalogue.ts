import type { CellSpec } from '../cells/cell';
import { cellOrder } from '../cells/cellOrder';
import type { EngineEvent } from '../engineEvent';
import { EventIndex } from '../index/eventIndex';
import { type Probe, probesOf } from '../index/probe';
import type { Id, LookupName } from '../language/language';
import type { Memberships } from './memberships';
import type { Query } from './query';

/** All queries of the page, and who has to be told of what. */
export class Catalogue {
  readonly queries = new Map<Id, Query>();
  /** The same, by number. */
  readonly list: Query[] = [];
  /** Queries with cells of the current session or view. */
  readonly scoped: Query[] = [];
  private readonly indexes = new Map<string, EventIndex<Probe>>();
  private readonly byLookup = new Map<LookupName, Query[]>();
  private readonly byModel = new Map<string, Query[]>();

  constructor(
    private readonly memberships: Memberships,
    private readonly seed: number,
  ) {}

  add(query: Query): void {
    query.number = this.list.push(query) - 1;
    this.queries.set(query.id, query);
    for (const [node, cell] of cellOrder(query.meaning)) {
      const spec = query.specs[cell] as CellSpec;
      for (const [wait, probe] of probesOf(node, { query, cell, spec }, this.seed)) {
        if ('cohort' in wait) this.memberships.of(wait.cohort)[wait.entry ? 'entered' : 'exited'].push(probe);
        else for (const name of wait.events) this.indexOf(name).add(wait.where, probe);
      }
    }
    if (query.specs.some(({ options }) => options.scope !== undefined)) this.scoped.push(query);
    for (const cohort of query.uses.cohorts) this.memberships.of(cohort).dependents.push(query);
    for (const lookup of query.uses.lookups) listAt(this.byLookup, lookup).push(query);
    for (const { model } of query.uses.models) listAt(this.byModel, model).push(query);
  }

  /** The probes that an event concerns, of those that are wanted. */
  match(event: EngineEvent, isWanted: (probe: Probe) => boolean): readonly Probe[] {
    const matched: Probe[] = [];
    this.indexes.get(event.name)?.match(event, isWanted, matched);
    return matched;
  }

  /** Whether any query waits for events of this name. */
  awaits(name: string): boolean {
    return this.indexes.has(name);
  }

  usersOf(lookup: LookupName): readonly Query[] {
    return this.byLookup.get(lookup) ?? [];
  }

  usersOfModel(model: string): readonly Query[] {
    return this.byModel.get(model) ?? [];
  }

  private indexOf(name: string): EventIndex<Probe> {
    const index = this.indexes.get(name) ?? new EventIndex<Probe>(this.seed);
    this.indexes.set(name, index);
    return index;
  }
}

const listAt = <Key, Value>(table: Map<Key, Value[]>, key: Key): Value[] => {
  const list = table.get(key) ?? [];
  table.set(key, list);
  return list;
};
