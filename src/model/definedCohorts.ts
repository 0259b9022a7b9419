import { AnyString, type Codec, list, object, shape, table } from './codecs';

/** What the project's definition says of a cohort. */
export interface DefinedCohort {
  /** What the publisher calls it. Absent where the build leaves names out. */
  readonly name?: string;
  /**
   * What its query reads beside events and other cohorts, such as `thirdParty` or `geo`: the names of lookups, and
   * `lookalike`. Absent where no query of the bundle finds it.
   */
  readonly reads?: readonly string[];
}

/** Cohorts of a project by number or code, as the build writes them into a file of their own for the inspector. */
export type DefinedCohorts = Readonly<Record<string, DefinedCohort>>;

/** Ids of cohorts by the names that the publisher gives them. */
export type IdsByName = Readonly<Record<string, string>>;

export const DefinedCohortsCodec: Codec<DefinedCohorts> = table(
  'cohorts',
  object<DefinedCohort>('a cohort', shape({}, { name: AnyString, reads: list(AnyString) })),
);
