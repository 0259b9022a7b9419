import type { PageProject } from './project';
import { withoutSuffix } from './cohort';
import type { Membership } from './protocol';

/** Who the visitor is to advertisers. `own`: evaluated over this page, not remembered from the last one. */
export interface Cohorts extends Membership {
  readonly own: boolean;
}

/** What a project says of codes and platforms. */
export type CodeTables = Pick<PageProject, 'platformCohorts' | 'cohortCodes' | 'optimisedActivationsConfig'>;

const own = <A>(table: Readonly<Record<string, A>>, key: string): A | undefined => (Object.hasOwn(table, key) ? table[key] : undefined);

/** Cohorts as ad platforms name them: standard ones by their short code, without suffix, each once (spec S§3, S§5). */
export const codesOf = (ids: readonly string[], { cohortCodes }: Pick<PageProject, 'cohortCodes'>): readonly string[] => [...new Set(ids.map((id) => withoutSuffix(own(cohortCodes, id) ?? id)))];

/**
 * Codes for one platform: the members that are activated there by their definition, by the project's list of cohorts, or by
 * the publisher's list of codes.
 */
export const codesFor = (platform: string, { members, activations }: Membership, project: CodeTables): readonly string[] => {
  const eligible = new Set([...(own(activations, platform) ?? []), ...(own(project.platformCohorts, platform) ?? []).map(String)]);
  const chosen = own(project.optimisedActivationsConfig, platform)?.cohorts ?? [];
  return codesOf(members.filter((id) => eligible.has(id) || codesOf([id], project).some((code) => chosen.includes(code))), project);
};
