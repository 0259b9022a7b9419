import type { PageProject } from './project';
import { withoutSuffix } from './cohort';
import type { Membership } from './protocol';

/** Who the visitor is to advertisers. `own`: evaluated over this page, not remembered from the last one. */
export interface Cohorts extends Membership {
  readonly own: boolean;
}

/**
 * Codes for one platform: the members that are activated there by their definition or by the project's list, standard
 * cohorts under their short code, without suffix, each once (spec S§3, S§5).
 */
export const codesFor = (
  platform: string,
  { members, activations }: Membership,
  { platformCohorts, cohortCodes }: Pick<PageProject, 'platformCohorts' | 'cohortCodes'>,
): readonly string[] => {
  const own = <A>(table: Readonly<Record<string, A>>, key: string): A | undefined => (Object.hasOwn(table, key) ? table[key] : undefined);
  const eligible = new Set([...(own(activations, platform) ?? []), ...(own(platformCohorts, platform) ?? []).map(String)]);
  return [...new Set(members.filter((id) => eligible.has(id)).map((id) => withoutSuffix(own(cohortCodes, id) ?? id)))];
};
