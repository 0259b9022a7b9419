import type { EngineEvent } from '../engineEvent';
import type { ReadDefinition } from '../language/canonicalLanguage';
import { isRecord } from '../language/codecs';
import type { Id } from '../language/language';
import type { Storage } from '../state/storage';
import type { Sync } from '../state/sync';
import type { Tabs } from '../state/tabs';
import { lookupNames } from './lookups';
import type { Machine, Turn } from './machine';
import type { Query } from './query';
import { rebuild, withDependents } from './replay';
import type { Report } from './report';

/** The parts that a query is restored to. */
export interface Parts {
  readonly machine: Machine;
  readonly storage: Storage;
  readonly sync: Sync;
  readonly tabs: Tabs;
  readonly read: ReadDefinition;
}

/** Brings queries to life: compiled, restored from the store, and where that is not possible from past events. */
export class LifeCycle {
  /** Queries whose state has to be rebuilt. */
  readonly unbuilt = new Set<Query>();

  constructor(private readonly parts: Parts) {}

  /** One definition a step. */
  *bootstrap(definitions: readonly unknown[], keepsUnknown: boolean): Generator<void, Report> {
    const { machine, storage } = this.parts;
    const turn = machine.newTurn();
    turn.findings.errors.push(...storage.errors);
    const absent: Query[] = [];
    for (const [i, definition] of definitions.entries()) {
      const added = this.add(definition, `at index ${i}`, turn);
      if (added?.found === 'absent') absent.push(added.query);
      if (added?.found === 'unusable') this.unbuilt.add(added.query);
      yield;
    }
    const named = new Set(definitions.map(idOf));
    if (!keepsUnknown) storage.forget((id) => !named.has(id));
    // Under the same bundle, a query that is not in the store had nothing to store.
    if (!storage.isSameBundle()) {
      for (const query of absent) this.unbuilt.add(query);
      // What came for other checksums was not kept: it is asked for again.
      storage.lastSeenOffset = 0;
    }
    this.start(turn);
    return turn.findings.report();
  }

  /** Rebuilds what could not be restored, or the given queries; one event a step. */
  *replay(events: readonly EngineEvent[], only: ReadonlySet<Id> | undefined): Generator<void, Report> {
    const { machine, storage } = this.parts;
    const turn = machine.newTurn();
    const { unprocessed } = storage;
    const rebuilt = only === undefined ? new Set(this.unbuilt) : this.queriesOf(only);
    for (const query of rebuilt) this.unbuilt.add(query);
    yield* rebuild(
      machine,
      turn,
      rebuilt,
      unprocessed === null ? events : events.filter((event) => !isSame(event, unprocessed)),
    );
    this.release(rebuilt, turn);
    if (unprocessed !== null) {
      machine.feed(unprocessed, turn);
      machine.settle(turn);
      storage.unprocessed = null;
      turn.findings.stateChanged();
    }
    return turn.findings.report();
  }

  /** Reads, compiles and restores a definition; one that is broken costs itself only. */
  add(
    definition: unknown,
    place: string,
    turn: Turn,
    read = this.parts.read,
  ): { readonly query: Query; readonly found: 'restored' | 'absent' | 'unusable' } | null {
    const { machine, storage, sync, tabs } = this.parts;
    try {
      const query = machine.add(read(definition));
      const found = storage.restore(query);
      sync.restore(query, storage.loaded);
      tabs.restore(query);
      return { query, found };
    } catch (error) {
      turn.findings.interpretation(idOf(definition) ?? place, error);
      return null;
    }
  }

  private start(turn: Turn): void {
    const { machine } = this.parts;
    machine.refreshData(new Set(lookupNames));
    for (const query of withDependents(machine, this.unbuilt)) query.rebuilding = true;
    for (const query of machine.catalogue.queries.values()) turn.dirty.add(query);
    machine.settle(turn);
  }

  private queriesOf(ids: ReadonlySet<Id>): Set<Query> {
    return new Set([...ids].flatMap((id) => this.parts.machine.catalogue.queries.get(id) ?? []));
  }

  /**
   * Evaluates the rebuilt queries, and after them what depends on them: evaluated together, a dependent would see
   * a cohort that has changed its meaning as left for a moment.
   */
  private release(rebuilt: ReadonlySet<Query>, turn: Turn): void {
    const { machine } = this.parts;
    for (const query of rebuilt) this.unbuilt.delete(query);
    const blocked = withDependents(machine, this.unbuilt);
    for (const queries of [rebuilt, withDependents(machine, rebuilt)]) {
      for (const query of queries) {
        query.rebuilding = blocked.has(query);
        turn.dirty.add(query);
      }
      machine.settle(turn);
    }
  }
}

/** The id of a definition that may be anything. */
export const idOf = (definition: unknown): Id | null => {
  const id = isRecord(definition) ? definition['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
};

const isSame = (a: EngineEvent, b: EngineEvent): boolean =>
  a.name === b.name && a.time === b.time && a.view_id === b.view_id;
