import type { Definition } from '../../src/engine/language/language';
import { project } from '../project/project';

/** Queries to begin with: those of the sample project. */
export interface Sample {
  readonly id: string;
  readonly name: string;
  readonly definition: Definition;
}

export const samples: readonly Sample[] = project.queries.map((query) => ({
  id: query.id,
  name: query.name,
  definition: { id: query.id, q: query.q, ...(query.sub && { sub: query.sub }) },
}));

/** The query as text, and the sample queries whose cohorts it reads, each once, those below others too. */
export const withRead = (definition: Definition): readonly Definition[] => {
  const found = new Map<string, Definition>([[definition.id, definition]]);
  const visit = (query: Definition): void => {
    for (const id of cohortsIn([query.q, query.sub])) {
      const read = found.has(id) ? undefined : samples.find((sample) => sample.id === id)?.definition;
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
