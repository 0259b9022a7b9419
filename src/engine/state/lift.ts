import { isRecord } from '../../codecs/codecs';
import { ownData } from '../../hardening/ownData';
import { bottom } from '../cells/cell';
import { decodeCells } from '../cells/cellCodec';
import type { EngineParts, LiftMethods, PageEngine } from '../engineInterface';
import { idOf, type LifeCycle } from '../evaluate/lifeCycle';
import { notAfter, type Query } from '../evaluate/query';
import type { AppendReport } from '../evaluate/report';
import type { Turn } from '../evaluate/turn';
import type { ReadDefinition } from '../language/canonicalLanguage';
import type { Definition, Id } from '../language/language';
import { readDefinition } from '../language/languageCodec';
import { wireState } from './chunk';

/** What the server has counted of posted events, by query: `[checksum, cells]`. */
export type LiftedStates = Readonly<Record<Id, unknown>>;

/** Says that an answer has no states, or too many of them (spec S§8). */
const stateError = 'Failed to append lifted state';

/** States of one answer that are looked at, the first of them. No project has as many queries. */
export const maxStates = 10_000;

/**
 * Checks a definition of a server. Fields that a page has added to all objects are left out of the definition that is
 * read, and of the definition that is made.
 */
const readOwnDefinition: ReadDefinition = (input) => ownData(readDefinition(ownData(input)));

/**
 * Adds to an engine what only cloud lift needs. Lifting is a module of its own because few projects use it, and it
 * checks the definitions of a server.
 */
export const lifting = <Base extends PageEngine>(engine: Base): Base & LiftMethods => ({
  ...engine,
  appendLiftedSteps: (states, definitions) => appendLifted(engine.parts, states, definitions),
});

/** Adds the definitions, one a step, and then appends the states (`LiftMethods.appendLiftedSteps`). */
function* appendLifted(
  { machine, storage, life }: EngineParts,
  states: unknown,
  definitions: readonly Definition[],
): Generator<void, AppendReport> {
  const turn = machine.newTurn();
  const added: Query[] = [];
  const appendErrors: string[] = [];
  let i = 0;
  for (const definition of definitions) {
    const query = life.add(definition, `at index ${i}`, turn, readOwnDefinition)?.query;
    i += 1;
    if (query !== undefined) {
      // Other turns may come between two steps, and it may read queries that are added later.
      query.rebuilding = true;
      added.push(query);
    }
    yield;
  }
  for (const query of added) {
    query.rebuilding = false;
    // An added query may hold at once, from its stored state or without any count.
    turn.dirty.add(query);
  }
  if (definitions.length > 0) {
    // States of unknown queries are given up where no definition came for them.
    const named = new Set(definitions.map(idOf));
    storage.forget((id) => !named.has(id));
    // Added queries may read data that is pending.
    machine.refreshData(new Set());
  }
  if (isRecord(states)) {
    const { now } = machine.present;
    appendStates(life, states, now, turn, appendErrors);
    storage.appended.push((again) => appendStates(life, states, now, again, again.errors));
  } else appendErrors.push(stateError);
  machine.settle(turn);
  return { ...turn.report(), appendErrors };
}

/**
 * Appends the components that the server has made of posted events to our own. Not idempotent: each answer is applied
 * once. An entry that is malformed is reported (spec S§8). One of an unknown query, or under another checksum, which is
 * another version of its query, is passed over. What comes after `maxStates` entries is reported once and left out.
 * `now`: when the answer came. The server takes the times of events as they are, so a clock that was ahead shows there.
 */
const appendStates = (life: LifeCycle, states: LiftedStates, now: number, turn: Turn, errors: string[]): void => {
  const entries = Object.entries(states);
  if (entries.length > maxStates) errors.push(stateError);
  for (const [id, wire] of entries.slice(0, maxStates)) {
    const query = life.find(id);
    if (query !== undefined && !appendOne(query, wire, now, turn))
      errors.push('Failed to append lifted event to internal state');
  }
};

/** Appends one entry; answers false when it is malformed. */
const appendOne = (query: Query, wire: unknown, now: number, turn: Turn): boolean => {
  const state = wireState(wire);
  if (state === null) return false;
  if (state.checksum !== query.checksum) return true;
  const { specs, cells } = query;
  const decoded = decodeCells(specs, state.cells);
  if (decoded === null) return false;
  const lifted = notAfter(query, decoded, now, true);
  if (lifted.every((component) => component.length === 0)) return true;
  cells.own = specs.map((spec, i) => spec.kind.append(spec, cells.own[i] ?? bottom, lifted[i] ?? bottom));
  turn.touch(query);
  return true;
};
