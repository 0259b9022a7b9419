import { type Observable, tap } from 'rxjs';

import { ownEntry } from '../hardening/ownFields';
import { codeOf, isStandard } from '../model/cohort';
import { codesFor, type CodeTables, type Cohorts, noCohorts, queriedOf } from '../model/cohorts';
import type { IdsByName } from '../model/definedCohorts';
import { notAmong } from '../primitives/lists';
import { answer, type ApiPart } from './apiPart';
import { type CohortIds, cohortIds } from './cohortIds';
import type { Listeners } from './listeners';
import type { PublicArguments } from './publicArguments';
import type { PublicCalls } from './publicCalls';
import type { PublicMethods } from './publicMethods';

/** Shorter platform names that publishers use. */
const platformAliases: Readonly<Record<string, string>> = { appnexus: 'appnexus_adserver', rubicon: 'rubicon_ssp' };

const isCustom = (id: string): boolean => !isStandard(id);

/** Groups that `segments` accepts; those that begin with `ql` leave out what services give (spec S§3). */
const groups: Readonly<Record<string, (cohorts: Cohorts) => readonly string[]>> = {
  all: ({ members }) => members,
  ql: queriedOf,
  standard: ({ members }) => members.filter(isStandard),
  qlStandard: (cohorts) => queriedOf(cohorts).filter(isStandard),
  custom: ({ members }) => members.filter(isCustom),
  qlCustom: (cohorts) => queriedOf(cohorts).filter(isCustom),
};

/**
 * The methods `segment`, `segments`, `query`, `trigger` and `explain`. The methods answer from the cohorts of the
 * moment, which are those of the last page until the engine has answered. Each method takes a cohort by its code or its
 * name.
 */
export const cohortMethods = (
  given: PublicArguments,
  listeners: Listeners,
  calls: Pick<PublicCalls, 'explain'>,
  project: CodeTables,
  idsByName$: Observable<IdsByName>,
): ApiPart => {
  let cohorts = noCohorts;
  const { withId, setConsent } = cohortIds(given, idsByName$);
  let ofPage = (): readonly string[] => [];
  /** Codes of a group, of the page (`contextual`), or of a platform where there is no group of that name. */
  const codes = (type: string): readonly (number | string)[] => {
    const group = ownEntry(groups, type);
    if (group) return group(cohorts).map(codeOf);
    if (type === 'contextual') return ofPage();
    const platform = ownEntry(platformAliases, type);
    return codesFor(platform ?? type, cohorts, project).map(codeOf);
  };
  return {
    methods: {
      ...membershipMethods(given, listeners, withId, (id) => cohorts.members.includes(id)),
      segments: (onResult, type = 'all') => {
        if (typeof type !== 'string') given.wrong('segments', 1, 'a group or platform');
        return answer(codes(typeof type === 'string' ? type : 'all'), given.callback('segments', 0, onResult));
      },
      explain: (code, onWords) =>
        new Promise<string | null>((resolve) => {
          const tell = given.callback('explain', 1, onWords);
          withId('explain', code, (id) =>
            calls.explain({
              id,
              done: (words) => {
                tell(words);
                resolve(words);
              },
            }),
          );
        }),
    },
    follow: ({ cohorts$, context }) => {
      ofPage = () => context().contextual?.cohorts ?? [];
      setConsent(true);
      return cohorts$.pipe(
        tap((now) => {
          tellTriggers(cohorts, now, listeners);
          cohorts = now;
        }),
      );
    },
    forget: () => {
      setConsent(false);
      cohorts = noCohorts;
      ofPage = () => [];
    },
  };
};

/** The methods that are about one cohort of the visitor. `isMember` answers for the moment. */
const membershipMethods = (
  given: PublicArguments,
  listeners: Listeners,
  withId: CohortIds['withId'],
  isMember: (id: string) => boolean,
): Pick<PublicMethods, 'trigger' | 'query' | 'segment'> => ({
  trigger: (code, type, onChange) => {
    given.choice('trigger', 1, type, ['result']);
    const tell = given.callback('trigger', 2, onChange);
    return listeners.onMembership((use) => withId('trigger', code, use, true), tell);
  },
  query: (code, type, onResult) => {
    given.choice('query', 1, type, ['result']);
    const tell = given.callback('query', 2, onResult);
    withId('query', code, (id) => tell({ result: isMember(id) }));
  },
  segment: (code, onResult) =>
    new Promise((resolve) => {
      const tell = given.callback('segment', 1, onResult);
      withId('segment', code, (id) => {
        const result = isMember(id);
        tell(result);
        resolve(result);
      });
    }),
});

/**
 * Calls triggers as soon as memberships change. Published transitions are debounced, so a trigger that waited for them
 * would be later than the answer of `segment`.
 */
const tellTriggers = (before: Cohorts, after: Cohorts, { membership }: Listeners): void => {
  for (const id of notAmong(after.members, before.members)) membership(id, true);
  for (const id of notAmong(before.members, after.members)) membership(id, false);
};
