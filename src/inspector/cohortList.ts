import { ownEntry, ownFields } from '../hardening/ownFields';
import { type Cohorts, queriedOf } from '../model/cohorts';
import type { DefinedCohorts } from '../model/definedCohorts';
import type { PageProject } from '../model/project';
import type { Produced } from '../model/serviceOutput';
import type { LogEntry } from './logEntry';

/** Where a cohort comes from, by the names of the code, with the words for it. */
export const sources = {
  query: 'query',
  thirdParty: 'third party',
  secondParty: 'second party',
  lookalike: 'lookalike',
  classification: 'content of the page',
  geo: 'place',
  client: 'client',
  user: 'user data',
  cloudLift: 'cloud lift',
  affinity: 'standard audience',
  classificationModels: 'classification model',
  advertiser: 'advertiser',
  cleanRoom: 'clean room',
  contextual: 'contextual',
} as const;
export type Source = keyof typeof sources;

/** A cohort as the panel lists it. */
export interface CohortView {
  /** The number of the cohort, or the code of an advertiser or of the page. */
  readonly id: string;
  /** What the publisher calls it; empty where that is not known. */
  readonly name: string;
  /** The short code of the cohort; empty where it has none. */
  readonly code: string;
  readonly isMember: boolean;
  /** Who finds it or has considered it, and what its query reads. */
  readonly sources: readonly Source[];
  /** This page has evaluated it, or it stands as the last page has stored it. Null where the log does not say. */
  readonly isRealtime: boolean | null;
}

/** What is known of the cohorts of a page. */
export interface KnownCohorts {
  readonly cohorts: Cohorts;
  /** What the definition says of the cohorts; empty where the definition could not be loaded. */
  readonly defined: DefinedCohorts;
  readonly project: Pick<PageProject, 'cohortCodes' | 'platformCohorts' | 'activations'>;
  readonly entries: readonly LogEntry[];
  /** Whether the log began with the page. */
  readonly isComplete: boolean;
  /** Codes that describe the page. */
  readonly ofPage: readonly string[];
}

/** All cohorts that are known: members first, then by number or code. */
export const cohortList = (known: KnownCohorts): readonly CohortView[] => {
  const { cohorts, defined, project, ofPage } = known;
  const considered = consideredIn(known.entries);
  const members = new Set([...cohorts.members, ...ofPage]);
  const ids = new Set([
    ...members,
    ...Object.keys(defined),
    ...Object.keys(project.cohortCodes),
    ...Object.values(project.platformCohorts).flat().map(String),
    ...Object.values(project.activations).flatMap((list) => list.map(({ sc }) => String(sc))),
    ...Object.values(considered).flat(),
  ]);
  const sourcesOf = sourcesIn(known, considered);
  const views = [...ids].map((id): CohortView => {
    const found = sourcesOf(id);
    return {
      id,
      name: ownEntry(defined, id)?.name ?? '',
      code: ownEntry(project.cohortCodes, id) ?? '',
      isMember: members.has(id),
      sources: found,
      // The codes of a page are asked for anew on each page.
      isRealtime: ofPage.includes(id) || isRealtime(found, known, considered),
    };
  });
  return views.sort(
    (a, b) => Number(b.isMember) - Number(a.isMember) || a.id.localeCompare(b.id, 'en', { numeric: true }),
  );
};

/** By producer, the cohorts that it has considered in this log, whether the visitor is in them or not. */
type Considered = Readonly<Record<string, readonly string[]>>;

const consideredIn = (entries: readonly LogEntry[]): Considered =>
  Object.fromEntries<readonly string[]>(
    entries
      .filter(({ lane, type }) => lane === 'cohorts' && type === 'produced')
      .map(({ data }) => {
        const { producer, cohorts = [], reasons = {} } = data as Partial<Produced> & Pick<Produced, 'producer'>;
        return [producer, [...cohorts.map(String), ...Object.keys(reasons)]] as const;
      }),
  );

const isSource = (name: string): name is Source => Object.hasOwn(sources, name);

const sourcesIn = (known: KnownCohorts, considered: Considered): ((id: string) => readonly Source[]) => {
  const { cohorts, defined, project, ofPage } = known;
  const queried = new Set(queriedOf(cohorts));
  const produced = Object.entries(ownFields(ownFields(cohorts).produced ?? {}));
  const isLoaded = Object.keys(defined).length > 0;
  return (id) => {
    const reads = ownEntry(defined, id)?.reads;
    const services = [...produced, ...Object.entries(considered)]
      .filter(([, ids]) => ids.includes(id))
      .map(([name]) => name);
    const isUnknown = isLoaded && reads === undefined;
    // A query that is not in the bundle has come from the server.
    const isLifted = isUnknown && queried.has(id);
    // Standard cohorts without a query are found by the standard audiences.
    const isAffinity = isUnknown && !isLifted && ownEntry(project.cohortCodes, id) !== undefined;
    const found = [
      ...(reads !== undefined || queried.has(id) ? ['query'] : []),
      ...(reads ?? []),
      ...(isLifted ? ['cloudLift'] : []),
      ...services,
      ...(isAffinity ? ['affinity'] : []),
      ...(ofPage.includes(id) ? ['contextual'] : []),
    ];
    return [...new Set(found)].filter(isSource);
  };
};

/** Whether all that say something of the cohort have done so on this page. */
const isRealtime = (
  found: readonly Source[],
  { cohorts, isComplete }: KnownCohorts,
  considered: Considered,
): boolean | null => {
  const services = found.filter((name) => servicesOfCohorts.includes(name));
  if (services.length === 0 || found.includes('query')) return cohorts.isRealtime;
  if (services.some((name) => ownEntry(considered, name) !== undefined)) return true;
  // An inspector that has opened late has not heard what came before.
  return isComplete ? false : null;
};

const servicesOfCohorts: readonly string[] = [
  'affinity',
  'contextual',
  'classificationModels',
  'advertiser',
  'cleanRoom',
] satisfies readonly Source[];

/** What the list is filtered by. */
export interface CohortFilter {
  /** A part of the name, the number or the code. */
  readonly search: string;
  readonly membership: 'all' | 'in' | 'out';
  readonly source: Source | 'all';
  readonly state: 'all' | 'realtime' | 'stored';
}

export const noFilter: CohortFilter = { search: '', membership: 'all', source: 'all', state: 'all' };

export const filteredCohorts = (
  views: readonly CohortView[],
  { search, membership, source, state }: CohortFilter,
): readonly CohortView[] => {
  const wanted = search.trim().toLowerCase();
  return views.filter(
    (view) =>
      (membership === 'all' || view.isMember === (membership === 'in')) &&
      (source === 'all' || view.sources.includes(source)) &&
      (state === 'all' || view.isRealtime === (state === 'realtime')) &&
      `${view.id} ${view.code} ${view.name}`.toLowerCase().includes(wanted),
  );
};
