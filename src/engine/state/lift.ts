import { bottom } from '../cells/cell';
import { decodeCells } from '../cells/cellCodec';
import type { Machine, Turn } from '../evaluate/machine';
import type { Query } from '../evaluate/query';
import type { Id } from '../language/language';
import { wireState } from './chunk';

/** What the server has counted of posted events, by query: `[checksum, cells]`. */
export type LiftedStates = Readonly<Record<Id, unknown>>;

/** States of one answer that are looked at, the first of them. No project has as many queries. */
export const maxStates = 10_000;

/**
 * Appends the components that the server has made of posted events to our own. Not idempotent: each answer is applied
 * once. An entry that is malformed is reported (spec S§8). One of an unknown query, or under another checksum, which is
 * another version of its query, is passed over. What comes after `maxStates` entries is reported once and left out.
 */
export const appendStates = (machine: Machine, states: LiftedStates, turn: Turn): void => {
  const entries = Object.entries(states);
  if (entries.length > maxStates) turn.findings.errors.push('Failed to append lifted state');
  for (const [id, wire] of entries.slice(0, maxStates)) {
    const query = machine.catalogue.queries.get(id);
    if (query !== undefined && !appendOne(query, wire, turn))
      turn.findings.errors.push('Failed to append lifted event to internal state');
  }
};

/** Appends one entry; answers false when it is malformed. */
const appendOne = (query: Query, wire: unknown, turn: Turn): boolean => {
  const state = wireState(wire);
  if (state === null) return false;
  if (state.checksum !== query.checksum) return true;
  const { specs, cells } = query;
  const lifted = decodeCells(specs, state.cells);
  if (lifted === null) return false;
  if (lifted.every((component) => component.length === 0)) return true;
  cells.own = specs.map((spec, i) => spec.kind.append(spec, cells.own[i] ?? bottom, lifted[i] ?? bottom));
  turn.touch(query);
  return true;
};
