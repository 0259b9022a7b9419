import { stepsOf } from '../src/engine/cells/cellOrder';
import { compile } from '../src/engine/evaluate/compile';
import { Machine } from '../src/engine/evaluate/machine';
import { coverOf } from '../src/engine/index/cover';
import type { CellExpr, PublishedDefinition } from '../src/engine/language/canonicalLanguage';
import type { Id } from '../src/engine/language/language';
import { isTransition } from '../src/model/cohort';

/**
 * Marks the queries that rest until an event meets a leaf of their predicates, so that the engine compiles them then.
 * Such a query depends on events alone, asks each of them for something that an index can look up, and does not hold
 * while it has counted nothing, whatever the time. No other query asks for its cohort.
 */
export const withResting = (definitions: readonly PublishedDefinition[], seed: number): PublishedDefinition[] => {
  const named = new Set(definitions.flatMap(cohortsIn));
  return definitions.map((definition) =>
    !named.has(definition.id) && rests(definition, seed) ? { ...definition, rests: true } : definition,
  );
};

const rests = (definition: PublishedDefinition, seed: number): boolean => {
  const { environment } = machineOf(seed);
  try {
    const { query, order } = compile(definition, environment);
    const { uses, specs, cells } = query;
    return (
      uses.cohorts.size + uses.lookups.size === 0 &&
      ![...uses.events].some(isTransition) &&
      [...order.keys()].every(isLookedUp) &&
      specs.every((spec, i) => spec.kind.flipAt(spec, cells.own[i] ?? [], [], environment.moment) === Infinity) &&
      !query.holds()
    );
  } catch {
    // The engine says what is wrong with it.
    return false;
  }
};

/** Whether an event can change a cell only where it has a key that an index knows. */
const isLookedUp = (node: CellExpr): boolean => {
  const steps = stepsOf(node);
  return steps.length > 0 && steps.every(({ where }) => where !== undefined && coverOf(where) !== null);
};

/** The cohorts that a query asks for, in conditions and by counts of entries and exits. */
const cohortsIn = ({ q, sub = [] }: PublishedDefinition): readonly Id[] => {
  const nodes: unknown[] = [q, sub];
  const ids: Id[] = [];
  // The list grows while it is gone through.
  for (const node of nodes) {
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node))
      if (['cohort', 'entered', 'exited'].includes(key) && typeof value === 'string') ids.push(value);
      else nodes.push(value);
  }
  return ids;
};

const machineOf = (seed: number): Machine =>
  new Machine({ now: 0, context: { session: null, view: null }, lookups: {}, pending: [], seed });
