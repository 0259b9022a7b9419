import { isRecord } from '../../codecs/codecs';
import type { EngineEvent } from '../engineEvent';
import type { ReadDefinition } from '../language/canonicalLanguage';
import type { Id } from '../language/language';
import type { Storage } from '../state/storage';
import type { Sync } from '../state/sync';
import { lookupNames } from './lookups';
import type { Machine } from './machine';
import type { Query } from './query';
import { rebuild, withDependents } from './replay';
import type { EngineReport } from './report';
import type { Turn } from './turn';

/** A query that was added, and what the store had of it. */
interface Added {
  readonly query: Query;
  readonly found: 'restored' | 'absent' | 'unusable';
}

/** The parts of the engine from which a query is restored. */
export interface Parts {
  readonly machine: Machine;
  readonly storage: Storage;
  readonly sync: Sync;
  /** Checks a definition of the bundle. */
  readonly read: ReadDefinition;
}

/**
 * Brings queries to life: compiled, then restored from the store or, where that is not possible, rebuilt from past
 * events. Until they are rebuilt, such queries and all that depend on them are held at their stored result: otherwise a
 * query like "did not do it" would enter at each start and leave after the replay.
 */
export class LifeCycle {
  /** Queries whose state has to be rebuilt. Such queries are left out of the stored state. */
  readonly unbuilt = new Set<Query>();
  /** Queries that the replay under way rebuilds. */
  private rebuilt = new Set<Query>();
  /** Whether dormant queries have to be rebuilt as well. */
  private isDormantUnbuilt = false;

  constructor(private readonly parts: Parts) {}

  /**
   * Adds all definitions, and of the dormant ones those that the store names, one a step. Then evaluates every query
   * that is not held. `keepsUnknown`: stored states without a definition are kept, because cloud lift may download it.
   */
  *bootstrap(definitions: readonly unknown[], keepsUnknown: boolean): Generator<void, EngineReport> {
    const { machine, storage } = this.parts;
    const turn = machine.newTurn();
    turn.errors.push(...storage.errors);
    const { dormant } = machine.catalogue;
    const absent: Query[] = [];
    const add = (definition: unknown, place: string): void => {
      const added = this.add(definition, place, turn);
      // Whether an absent state has to be rebuilt is decided when all queries are known.
      if (added?.found === 'absent') absent.push(added.query);
      if (added?.found === 'unusable') this.unbuilt.add(added.query);
    };
    let i = 0;
    for (const definition of definitions) {
      add(definition, `at index ${i}`);
      i += 1;
      yield;
    }
    for (const id of storage.namedIds()) {
      if (!dormant.has(id)) continue;
      add(dormant.take(id), id);
      yield;
    }
    const named = new Set(definitions.map(idOf));
    if (!keepsUnknown) storage.forget((id) => !named.has(id));
    // A query that has counted nothing is not stored. So under the same bundle, absent means empty; under another one
    // it may mean that the query is new.
    if (!storage.isSameBundle()) {
      for (const query of absent) this.unbuilt.add(query);
      this.isDormantUnbuilt = true;
      // States of other sources that came for other checksums were not kept. The offset 0 makes the next exchange fetch
      // those states again.
      storage.lastSeenOffset = 0;
      // The stored state is to name the present bundle, else the next page would look for new queries again.
      turn.stateChanged();
    }
    this.start(turn);
    return turn.report();
  }

  /**
   * Rebuilds the queries that could not be restored, or the given ones, one event a step. Then releases them with their
   * dependents, and last counts the view that the page before left unfinished.
   */
  *replay(events: readonly EngineEvent[], only: ReadonlySet<Id> | undefined): Generator<void, EngineReport> {
    const { machine, storage } = this.parts;
    const turn = machine.newTurn();
    const { unprocessed } = storage;
    const rebuilt = (this.rebuilt = only === undefined ? new Set(this.unbuilt) : this.queriesOf(only));
    // A snapshot that is taken between two steps must not contain cells that are rebuilt in part.
    for (const query of rebuilt) this.unbuilt.add(query);
    yield* rebuild(
      this.feed,
      machine,
      turn,
      rebuilt,
      // Most pages have nothing to rebuild. The unfinished view is fed below, so it would count twice here.
      rebuilt.size === 0 && this.isComplete()
        ? []
        : events.filter((event) => unprocessed === null || !isSame(event, unprocessed)),
    );
    // No past event has concerned what is still dormant.
    const untouched = only === undefined ? this.unbuiltDormant() : [];
    if (only === undefined) this.isDormantUnbuilt = false;
    this.release(rebuilt, untouched, turn);
    if (unprocessed !== null) {
      this.feed(unprocessed, turn);
      machine.settle(turn);
      storage.unprocessed = null;
      turn.stateChanged();
    }
    return turn.report();
  }

  /**
   * Reads, compiles and restores a definition. `absent`: nothing is stored for it; `unusable`: what is stored is of
   * another meaning or malformed. A definition that is broken is reported and answers null; it costs itself only.
   * `place` names the definition in the report when it has no id. `read` takes the place of the engine's own reader.
   */
  add(definition: unknown, place: string, turn: Turn, read = this.parts.read): Added | null {
    const { machine, storage, sync } = this.parts;
    try {
      const query = machine.add(read(definition));
      const found = storage.restore(query, turn);
      sync.restore(query, storage.loaded);
      return { query, found };
    } catch (error) {
      turn.interpretation(idOf(definition) ?? place, error);
      return null;
    }
  }

  /** Feeds an event (`Machine.feed`) after it has woken the queries that it may concern. */
  readonly feed: Machine['feed'] = (event, turn, isWanted) => {
    this.wakeFor(event, turn);
    this.parts.machine.feed(event, turn, isWanted);
  };

  /** Wakes the queries that an event may concern. */
  wakeFor(event: EngineEvent, turn: Turn): void {
    const { catalogue, present } = this.parts.machine;
    for (const id of catalogue.dormant.idsFor(present.dated(event))) this.wake(id, turn);
  }

  /** The query of an id, woken where it is dormant; undefined where there is none. */
  find(id: Id): Query | undefined {
    const { machine } = this.parts;
    return machine.catalogue.dormant.has(id) ? this.wake(id, machine.newTurn()) : machine.catalogue.queries.get(id);
  }

  /** Wakes all definitions, for work that looks at every query. */
  wakeAll(): void {
    for (const id of this.parts.machine.catalogue.dormant.ids()) this.find(id);
  }

  /** Whether the state is complete: no query has to be rebuilt. */
  isComplete(): boolean {
    return this.unbuilt.size === 0 && this.unbuiltDormant().length === 0;
  }

  private unbuiltDormant(): readonly Id[] {
    return this.isDormantUnbuilt ? [...this.parts.machine.catalogue.dormant.ids()] : [];
  }

  /** Compiles a definition that was dormant, to a query that has counted nothing. */
  private wake(id: Id, turn: Turn): Query | undefined {
    const query = this.add(this.parts.machine.catalogue.dormant.take(id), id, turn)?.query;
    if (query !== undefined && this.isDormantUnbuilt) {
      query.rebuilding = true;
      this.unbuilt.add(query);
      this.rebuilt.add(query);
    }
    return query;
  }

  /** Evaluates what can be evaluated after all definitions were added. */
  private start(turn: Turn): void {
    const { machine } = this.parts;
    machine.catalogue.settle();
    machine.refreshData(new Set(lookupNames));
    // Dependents are known only when all definitions are added.
    for (const query of withDependents(machine, this.unbuilt, this.unbuiltDormant())) query.rebuilding = true;
    for (const query of machine.catalogue.queries.values()) turn.dirty.add(query);
    machine.settle(turn);
  }

  private queriesOf(ids: ReadonlySet<Id>): Set<Query> {
    return new Set([...ids].flatMap((id) => this.find(id) ?? []));
  }

  /**
   * Evaluates the rebuilt queries, and after them what depends on them: evaluated together, a dependent would see
   * a cohort that has changed its meaning as left for a moment.
   */
  private release(rebuilt: ReadonlySet<Query>, untouched: readonly Id[], turn: Turn): void {
    const { machine } = this.parts;
    for (const query of rebuilt) this.unbuilt.delete(query);
    // With a choice of queries, others may still wait to be rebuilt. All queries that depend on a query which is not
    // rebuilt stay held.
    const blocked = withDependents(machine, this.unbuilt, this.unbuiltDormant());
    for (const queries of [rebuilt, withDependents(machine, rebuilt, untouched)]) {
      for (const query of queries) {
        query.rebuilding = blocked.has(query);
        turn.dirty.add(query);
      }
      machine.settle(turn);
    }
  }
}

/** The id of a definition that may be anything, for reports; null where it has none. */
export const idOf = (definition: unknown): Id | null => {
  const id = isRecord(definition) ? definition['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
};

/** Whether two events are the same one. The engine's events have no id. */
const isSame = (a: EngineEvent, b: EngineEvent): boolean =>
  a.name === b.name && a.time === b.time && a.view_id === b.view_id;
