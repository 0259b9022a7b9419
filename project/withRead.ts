import type { Definition, Id } from '../src/engine/language/language';

/** A query, and those of the others whose cohorts it reads, each once, those below others too. */
export const withRead = (definition: Definition, others: readonly Definition[]): readonly Definition[] => {
  const byId = new Map(others.map((other) => [other.id, other]));
  const found = new Map<Id, Definition>([[definition.id, definition]]);
  const visit = (query: Definition): void => {
    for (const id of cohortsIn([query.q, query.sub])) {
      const read = found.has(id) ? undefined : byId.get(id);
      if (read === undefined) continue;
      found.set(id, read);
      visit(read);
    }
  };
  visit(definition);
  return [...found.values()];
};

/** Ids of the cohorts that a condition names. */
const cohortsIn = (node: unknown): readonly Id[] =>
  typeof node !== 'object' || node === null
    ? []
    : Object.entries(node).flatMap(([key, value]) =>
        ['cohort', 'entered', 'exited'].includes(key) && typeof value === 'string' ? [value] : cohortsIn(value),
      );
