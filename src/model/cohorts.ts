import type { PageProject } from './project';
import { withoutSuffix } from './cohort';
import type { Membership } from './protocol';

/** Who the visitor is to advertisers. `own`: evaluated over this page, not remembered from the last one. */
export interface Cohorts extends Membership {
  readonly own: boolean;
}

/** What a project says of codes and platforms. */
export type CodeTables = Pick<PageProject, 'platformCohorts' | 'cohortCodes' | 'optimisedActivationsConfig'>;

/**
 * Codes for one platform: the members that are activated there by their definition, by the project's list of cohorts, or by
 * the publisher's list of codes; standard cohorts under their short code, without suffix, each once (spec S§3, S§5).
 */
export const codesFor = (
  platform: string,
  { members, activations }: Membership,
  { platformCohorts, cohortCodes, optimisedActivationsConfig }: CodeTables,
): readonly string[] => {
  const own = <A>(table: Readonly<Record<string, A>>, key: string): A | undefined => (Object.hasOwn(table, key) ? table[key] : undefined);
  const eligible = new Set([...(own(activations, platform) ?? []), ...(own(platformCohorts, platform) ?? []).map(String)]);
  const chosen = own(optimisedActivationsConfig, platform)?.cohorts ?? [];
  const codes = members.flatMap((id) => {
    const code = withoutSuffix(own(cohortCodes, id) ?? id);
    return eligible.has(id) || chosen.includes(code) ? [code] : [];
  });
  return [...new Set(codes)];
};
