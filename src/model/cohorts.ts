import { ownEntry, ownFields } from '../hardening/ownFields';
import { type CohortId, type ExperimentGroup, withoutSuffix } from './cohort';
import type { Membership } from './engineCommands';
import type { PageProject } from './project';

/** A producer of cohorts beside the query engine. */
export type Producer = 'affinity' | 'contextual' | 'advertiser' | 'cleanRoom' | 'classificationModels';

/** By producer, the cohorts that it gives the visitor. */
export type ProducedCohorts = Readonly<Partial<Record<Producer, readonly CohortId[]>>>;

/** The visitor's cohorts, as addons and the public object read them. `members` are those of all producers. */
export interface Cohorts extends Membership {
  /** True: evaluated on this page. False: stored by the last page. */
  readonly isRealtime: boolean;
  /** The members that a query has found; absent where queries have found all members. */
  readonly queried?: readonly CohortId[];
  /** The members that producers beside the query engine have given; absent where there is none. */
  readonly produced?: ProducedCohorts;
  /**
   * The visitor's group, where the project has an experiment. Cohorts that the control group is not told of are left
   * out.
   */
  readonly group?: ExperimentGroup | undefined;
}

/** The cohorts of a visitor of whom nothing is known. */
export const noCohorts: Cohorts = { members: [], activations: {}, isRealtime: false };

/** The cohorts that queries have found: the engine's own list, which answers of services leave as it is. */
export const queriedOf = (cohorts: Cohorts): readonly CohortId[] => {
  const { members, queried = members } = ownFields(cohorts);
  return queried;
};

/** What ad servers get beside the cohorts of their platform: cohorts that advertisers have bought, without suffix. */
export const cloudCodesOf = (cohorts: Cohorts): readonly string[] => {
  const { advertiser = [], cleanRoom = [] } = ownFields(ownFields(cohorts).produced ?? {});
  return [...advertiser, ...cleanRoom].map(withoutSuffix);
};

/** The parts of a project that map cohorts to codes and say which cohorts belong to which platform. */
export type CodeTables = Pick<PageProject, 'platformCohorts' | 'cohortCodes'> &
  Partial<Pick<PageProject, 'optimisedActivationsConfig'>>;

/** A cohort as ad platforms name it (spec S§3, S§5): a standard one by its short code, and each without suffix. */
const codeFor = (id: string, { cohortCodes }: Pick<CodeTables, 'cohortCodes'>): string =>
  withoutSuffix(ownEntry(cohortCodes, id) ?? id);

/** Several cohorts as ad platforms name them, each code once. */
export const codesOf = (ids: readonly string[], project: Pick<CodeTables, 'cohortCodes'>): readonly string[] => [
  ...new Set(ids.map((id) => codeFor(id, project))),
];

/**
 * The visitor's codes for one platform, each once: members that are activated there, by their query or by the project's
 * list of cohorts (spec S§5). Where the publisher has listed codes for the platform in `optimisedActivationsConfig`,
 * these alone are given, in the order of that list; the list makes no cohort eligible.
 */
export const codesFor = (
  platform: string,
  { members, activations }: Membership,
  project: CodeTables,
): readonly string[] => {
  const eligible = new Set([
    ...(ownEntry(activations, platform) ?? []),
    ...(ownEntry(project.platformCohorts, platform) ?? []).map(String),
  ]);
  const codes = codesOf(
    members.filter((id) => eligible.has(id)),
    project,
  );
  const { optimisedActivationsConfig: tables = {} } = ownFields(project);
  const { cohorts: chosen } = ownFields(ownEntry(tables, platform) ?? {});
  return chosen ? [...new Set(chosen)].filter((code) => codes.includes(code)) : codes;
};
