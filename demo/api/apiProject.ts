import * as t from 'io-ts';

const Query = t.type({ id: t.union([t.string, t.number]) }, 'Query');

/** What the API needs to know of a project definition; queries are handed out as they stand. */
export const ApiProject = t.intersection(
  [
    t.type({ workspaceId: t.string }),
    t.partial({
      config: t.UnknownRecord,
      queries: t.readonlyArray(Query),
      /** More queries, in the short form of rule tables. */
      rules: t.UnknownRecord,
      /** Queries whose rules stay with the server: pages have their events lifted. */
      lifted: t.readonlyArray(Query),
      cohortCodes: t.record(t.string, t.string),
      platformCohorts: t.record(t.string, t.readonlyArray(t.number)),
      models: t.record(t.string, t.number),
      tpdProviders: t.readonlyArray(t.string),
    }),
  ],
  'ApiProject',
);
export type ApiProject = Readonly<t.TypeOf<typeof ApiProject>>;
