import type { Definition } from '../../../src/engine/language/language';

/** A query, and those of the others whose cohorts it reads, each once, those below others too. */
export const withRead = (definition: Definition, others: readonly Definition[]): readonly Definition[] => {
  const found = new Map<string, Definition>([[definition.id, definition]]);
  const visit = (query: Definition): void => {
    for (const id of cohortsIn([query.q, query.sub])) {
      const read = found.has(id) ? undefined : others.find((other) => other.id === id);
      if (read === undefined) continue;
      found.set(id, read);
      visit(read);
    }
  };
  visit(definition);
  return [...found.values()];
};

/** Ids of the cohorts that a condition names. */
const cohortsIn = (node: unknown): readonly string[] =>
  typeof node !== 'object' || node === null
    ? []
    : Object.entries(node).flatMap(([key, value]) =>
        ['cohort', 'entered', 'exited'].includes(key) && typeof value === 'string' ? [value] : cohortsIn(value),
      );
