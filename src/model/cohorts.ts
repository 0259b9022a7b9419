import { withoutSuffix } from './cohort';
import type { Membership } from './engineCommands';
import type { PageProject } from './project';

/** The visitor's cohorts. `isRealtime`: evaluated on this page, not remembered from the last one. */
export interface Cohorts extends Membership {
  readonly isRealtime: boolean;
}

/** The parts of a project that map cohorts to codes and platforms. */
export type CodeTables = Pick<PageProject, 'platformCohorts' | 'cohortCodes' | 'optimisedActivationsConfig'>;

const own = <A>(table: Readonly<Record<string, A>>, key: string): A | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** A cohort as ad platforms name it: a standard one by its short code, without suffix (spec S§3, S§5). */
const codeFor = (id: string, { cohortCodes }: Pick<CodeTables, 'cohortCodes'>): string =>
  withoutSuffix(own(cohortCodes, id) ?? id);

/** The same for several, each once. */
export const codesOf = (ids: readonly string[], project: Pick<CodeTables, 'cohortCodes'>): readonly string[] => [
  ...new Set(ids.map((id) => codeFor(id, project))),
];

/**
 * Codes for one platform: the members that are activated there by their definition, by the project's list of cohorts,
 * or by the publisher's list of codes.
 */
export const codesFor = (
  platform: string,
  { members, activations }: Membership,
  project: CodeTables,
): readonly string[] => {
  const eligible = new Set([
    ...(own(activations, platform) ?? []),
    ...(own(project.platformCohorts, platform) ?? []).map(String),
  ]);
  const chosen = own(project.optimisedActivationsConfig, platform)?.cohorts ?? [];
  return codesOf(
    members.filter((id) => eligible.has(id) || chosen.includes(codeFor(id, project))),
    project,
  );
};
