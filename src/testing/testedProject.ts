import { DecodeError } from '../codecs/codecs';
import type { PublishedDefinition } from '../engine/language/canonicalLanguage';
import type { Id } from '../engine/language/language';
import { readDefinition } from '../engine/language/languageCodec';
import { expandTable } from '../engine/rules/expandRules';

/** What a visitor needs of a project definition: as `defineProject` gives it, or parsed from JSON. */
export interface TestedProject {
  readonly queries: readonly unknown[];
  /** Rules in short form, by the id of their cohort. */
  readonly rules?: object;
  /** Names of cohorts that have none in their queries, by id. */
  readonly cohortNames?: object;
}

/** A project whose queries are checked and in canonical form. */
export interface CompiledProject {
  /** The id of a cohort that is named by its id or its name. Throws where no cohort or more than one has it. */
  readonly idOf: (cohort: string | number) => Id;
  readonly nameOf: (id: Id) => string | undefined;
  readonly ids: readonly Id[];
  /**
   * The queries of some cohorts and of all cohorts that they depend on. `features`: the cohorts that the models score,
   * on which each query with a model depends.
   */
  readonly queriesOf: (ids: readonly Id[], features: readonly Id[]) => readonly PublishedDefinition[];
}

const compiled = new WeakMap<TestedProject, CompiledProject>();

/** The project, compiled once for each definition. Throws an error that names each wrong place of its queries. */
export const compiledProject = (project: TestedProject): CompiledProject => {
  const known = compiled.get(project);
  if (known !== undefined) return known;
  const made = compileProject(project);
  compiled.set(project, made);
  return made;
};

const compileProject = ({ queries, rules = {}, cohortNames = {} }: TestedProject): CompiledProject => {
  const table = expandTable(rules as Readonly<Record<Id, unknown>>);
  const faults = table.errors.map(({ id, error }) => `rules/${id}: ${error.message}`);
  const definitions = new Map<Id, PublishedDefinition>();
  for (const [i, query] of [...queries, ...table.definitions].entries()) {
    const read = readOrFault(query);
    if (read instanceof Error) faults.push(`queries/${i}: ${read.message}`);
    else if (definitions.has(read.id)) faults.push(`queries/${i}/id: another query has the id ${read.id}`);
    else definitions.set(read.id, read);
  }
  if (faults.length > 0) throw new Error(`These are no queries of a project:\n  ${faults.join('\n  ')}`);
  const names = new Map(Object.entries(cohortNames as Readonly<Record<Id, string>>));
  for (const { id, name } of definitions.values()) if (name !== undefined) names.set(id, name);
  const uses = new Map([...definitions].map(([id, { q, sub }]) => [id, referencesOf([q, sub])]));
  return {
    ids: [...definitions.keys()],
    nameOf: (id) => names.get(id),
    idOf: (cohort) => idOfCohort(String(cohort), definitions, names),
    queriesOf: (ids, features) => {
      const wanted = new Set(ids);
      // A set also visits what is added during the loop.
      for (const id of wanted) {
        const { cohorts = [], hasModel = false } = uses.get(id) ?? {};
        for (const used of hasModel ? [...cohorts, ...features] : cohorts) wanted.add(used);
      }
      return [...definitions.values()].filter(({ id }) => wanted.has(id));
    },
  };
};

const readOrFault = (query: unknown): PublishedDefinition | DecodeError => {
  try {
    return readDefinition(query);
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
};

const idOfCohort = (cohort: string, definitions: ReadonlyMap<Id, unknown>, names: ReadonlyMap<Id, string>): Id => {
  if (definitions.has(cohort)) return cohort;
  const named = [...names].flatMap(([id, name]) => (name === cohort && definitions.has(id) ? [id] : []));
  const [id, ...others] = named;
  if (id !== undefined && others.length === 0) return id;
  throw new Error(
    id === undefined
      ? `No query of the project has the id or the name ${cohort}. There are: ${[...definitions.keys()].join(', ')}`
      : `Several queries have the name ${cohort}: ${named.join(', ')}`,
  );
};

/** What a query depends on beside events and data. */
interface References {
  readonly cohorts: readonly Id[];
  readonly hasModel: boolean;
}

/** Keys of nodes whose value is the id of a cohort. */
const cohortTags = ['cohort', 'entered', 'exited'];

const referencesOf = (value: unknown): References => {
  if (typeof value !== 'object' || value === null) return { cohorts: [], hasModel: false };
  const parts = Object.entries(value).map(([key, child]) =>
    cohortTags.includes(key) && typeof child === 'string'
      ? { cohorts: [child], hasModel: false }
      : key === 'lookalike'
        ? { cohorts: [], hasModel: true }
        : referencesOf(child),
  );
  return { cohorts: parts.flatMap(({ cohorts }) => cohorts), hasModel: parts.some(({ hasModel }) => hasModel) };
};
