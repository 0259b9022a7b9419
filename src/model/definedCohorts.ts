import { AnyString, list, object, shape, table, type TypeOf } from '../codecs/codecs';

/** What the project's definition says of a cohort. */
const DefinedCohort = object(
  'a cohort',
  shape(
    {},
    {
      /** What the publisher calls it. Absent where the build leaves names out. */
      name: AnyString,
      /**
       * What its query reads beside events and other cohorts, such as `thirdParty` or `geo`: the names of lookups, and
       * `lookalike`. Absent where no query of the bundle finds it.
       */
      reads: list(AnyString),
    },
  ),
);
export type DefinedCohort = TypeOf<typeof DefinedCohort>;

/** Cohorts of a project by number or code, as the build writes them into a file of their own for the inspector. */
export const DefinedCohorts = table('cohorts', DefinedCohort);
export type DefinedCohorts = TypeOf<typeof DefinedCohorts>;

/** Ids of cohorts by the names that the publisher gives them. */
export type IdsByName = Readonly<Record<string, string>>;
