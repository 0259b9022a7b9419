import { stepsOf } from '../src/engine/cells/cellOrder';
import { readTrusted } from '../src/engine/cohortEngine';
import { compile, type Environment } from '../src/engine/evaluate/compile';
import { Machine } from '../src/engine/evaluate/machine';
import { coverOf } from '../src/engine/index/cover';
import type { CellExpr, PublishedDefinition } from '../src/engine/language/canonicalLanguage';
import type { Bundle } from '../src/engine/language/language';
import { isTransition } from '../src/model/cohort';

/**
 * Marks the queries that rest until an event meets a leaf of their predicates, so that the engine compiles them then.
 * Such a query depends on events alone, asks each of them for something that an index can look up, and does not hold
 * while it has counted nothing, whatever the time.
 */
export const withResting = (bundle: Bundle): Bundle => {
  const { environment } = new Machine({ ...nothingYet, seed: bundle.seed });
  return {
    ...bundle,
    queries: bundle.queries.map((definition) =>
      rests(readTrusted(definition), environment) ? { ...definition, rests: true } : definition,
    ),
  };
};

const nothingYet = { now: 0, context: { session: null, view: null }, lookups: {}, pending: [] };

const rests = (definition: PublishedDefinition, environment: Environment): boolean => {
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
