import { isTransition } from '../../model/cohort';
import { bottom, type Component, sameComponent } from '../cells/cell';
import type { EngineEvent } from '../engineEvent';
import type { EngineParts, Pending } from '../engineInterface';
import type { Machine } from '../evaluate/machine';
import { compareIds, type Query } from '../evaluate/query';
import { type EngineReport, nothingNew } from '../evaluate/report';
import type { Turn } from '../evaluate/turn';
import type { Id } from '../language/language';
import { decodeChunk, type DecodedChunk, idsIn } from './chunk';

/** How a query stood. */
interface Standing {
  readonly own: readonly Component[];
  readonly result: boolean;
}

/**
 * Takes the stored chunk for the state of the engine, and then counts what is pending on it. Tabs of one browser share
 * one chunk: whatever another tab has counted comes from there, and nothing counts twice, because the caller knows
 * which events the chunk contains.
 *
 * A transition is reported where it follows from the pending events and this engine has not reported it before. A
 * result that the other tab has brought about changes without a transition, because that tab has published it.
 *
 * A query that the chunk has no usable state of, because the other tab had other definitions, stays as it is and is
 * left out of the next chunk, so that the next page rebuilds it. Errors with a chunk that cannot be read: the report
 * is empty, and nothing changes.
 */
export const rebase = (parts: EngineParts, stored: unknown, pending: Pending, now?: number): EngineReport => {
  const { machine, storage, sync, life } = parts;
  const chunk = decodeChunk(stored);
  if (chunk instanceof Error || chunk.version !== 2) return nothingNew;
  if (now !== undefined) machine.present.advance(now);
  const turn = machine.newTurn();
  wakeNamedIn(chunk, parts);
  // Before the chunk is taken over: what the events wake has a state in it, too.
  for (const event of pending.events) life.wakeFor(event, turn);
  const queries = [...machine.catalogue.queries.values()];
  const mine = standingOf(queries);
  storage.rebase(chunk);
  // The chunk may have less in a cell than this engine thought.
  machine.forgetFull();
  const base = new Map<Query, Standing>();
  for (const query of queries) {
    const found = storage.stateOf(query, turn);
    if (found === null) life.unbuilt.add(query);
    else {
      base.set(query, found);
      query.cells.own = found.own.map((component, i) =>
        isOwnView(query, i, machine) ? (query.cells.own[i] ?? bottom) : component,
      );
      machine.setResult(query, found.result);
    }
    turn.dirty.add(query);
  }
  sync.rebase(chunk, turn);
  machine.settle(turn);
  feed(parts, pending.events, turn, base);
  for (const append of storage.appended.slice(pending.appended)) append(turn);
  machine.settle(turn);
  return reportOf(queries, mine, base, turn, machine);
};

/** Wakes the queries that a chunk has something of; all of them where the chunk is of another bundle. */
const wakeNamedIn = (chunk: DecodedChunk, { storage, life }: EngineParts): void => {
  if (!storage.isSameBundle(chunk)) return life.wakeAll();
  for (const id of idsIn(chunk)) life.find(id);
};

/** Feeds the pending events, each settled before the next one, as `process` does. */
const feed = (
  { machine }: EngineParts,
  events: readonly EngineEvent[],
  turn: Turn,
  base: ReadonlyMap<Query, unknown>,
): void => {
  for (const event of events) {
    // The engine feeds the postponed ones when their data comes.
    if (isTransition(event.name) || machine.lookups.postpones(event.name)) continue;
    machine.feed(event, turn, ({ query, cell }) => base.has(query) && !isOwnView(query, cell, machine));
    machine.settle(turn);
  }
};

/**
 * Whether a cell counts in the view of this page. Other tabs have views of their own, so what is stored of theirs must
 * not take its place.
 */
const isOwnView = ({ specs, cells }: Query, cell: number, { present }: Machine): boolean => {
  const own = cells.own[cell] ?? bottom;
  return specs[cell]?.scope === 'view' && own.length > 0 && own[1] === present.view?.hash;
};

const standingOf = (queries: readonly Query[]): ReadonlyMap<Query, Standing> =>
  // Components are never changed, so no copy of them is needed.
  new Map(queries.map((query) => [query, { own: query.cells.own, result: query.result }]));

/** What is new to this engine's readers. */
const reportOf = (
  queries: readonly Query[],
  mine: ReadonlyMap<Query, Standing>,
  base: ReadonlyMap<Query, Standing>,
  turn: Turn,
  machine: Machine,
): EngineReport => {
  const changed: Id[] = [];
  const transitions: EngineReport['transitions'][number][] = [];
  for (const query of [...queries].sort((a, b) => compareIds(a.id, b.id))) {
    const { id, result } = query;
    const before = mine.get(query) as Standing;
    const areSame = query.cells.own.every((component, i) => sameComponent(component, before.own[i] ?? bottom));
    if (areSame && result === before.result) continue;
    changed.push(id);
    query.isUnsynced = true;
    if (result !== before.result && result !== (base.get(query) ?? before).result)
      transitions.push({ id, entry: result, time: machine.present.now });
  }
  return { transitions, changed, errors: turn.errors, stateChanged: changed.length > 0 };
};
