import type { Definition } from '../src/engine/language/language';
import type { DefinedCohorts } from '../src/model/definedCohorts';
import type { BuildProject } from './readProject';

/**
 * What the inspector shows of the project's cohorts: their names, and what their queries read. The names are in a file
 * that everybody can ask for, so `hasNames: false` leaves names out.
 */
export const definedCohorts = ({ definitions, page }: BuildProject, hasNames: boolean): DefinedCohorts => {
  const named = (name: string | undefined): { readonly name?: string } =>
    hasNames && name !== undefined ? { name } : {};
  const { cohortNames = {} } = page;
  return {
    ...Object.fromEntries(Object.entries(cohortNames).map(([id, name]) => [id, named(name)])),
    ...Object.fromEntries(
      definitions.map((definition) => {
        const { id, name = cohortNames[id] } = definition;
        return [id, { ...named(name), reads: readsOf(definition) }];
      }),
    ),
  };
};

/** Nodes of the query language that read other data than events. A `lookup` says which. */
const dataNodes = ['thirdParty', 'secondParty', 'lookalike'];

/** What a query reads beside events and other cohorts. */
export const readsOf = ({ q, sub }: Definition): readonly string[] => {
  const reads = new Set<string>();
  const search = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (dataNodes.includes(key)) reads.add(key);
      else if (key === 'lookup' && typeof value === 'string') reads.add(value);
      else search(value);
    }
  };
  search([q, sub]);
  return [...reads];
};
