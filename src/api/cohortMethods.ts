import { tap } from 'rxjs';

import { codeOf, isStandard } from '../model/cohort';
import { codesFor, type CodeTables, type Cohorts, noCohorts, queriedOf } from '../model/cohorts';
import { ownEntry } from '../model/ownFields';
import { answer, type ApiPart } from './apiPart';
import type { Listeners } from './listeners';
import type { PublicArguments } from './publicArguments';
import type { PublicCalls } from './publicCalls';

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
 * The methods `segment`, `segments`, `query`, `trigger` and `explain`. They answer from the cohorts of the moment,
 * which are those of the last page until the engine has answered.
 */
export const cohortMethods = (
  given: PublicArguments,
  listeners: Listeners,
  calls: Pick<PublicCalls, 'explain'>,
  project: CodeTables,
): ApiPart => {
  let cohorts = noCohorts;
  let ofPage = (): readonly string[] => [];
  const isMember = (id: string): boolean => cohorts.members.includes(id);
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
      trigger: (code, type, onChange) => {
        given.choice('trigger', 1, type, ['result']);
        return listeners.onMembership(given.cohortId('trigger', code), given.callback('trigger', 2, onChange));
      },
      query: (code, type, onResult) => {
        given.choice('query', 1, type, ['result']);
        given.callback('query', 2, onResult)({ result: isMember(given.cohortId('query', code)) });
      },
      segment: (code, onResult) =>
        answer(isMember(given.cohortId('segment', code)), given.callback('segment', 1, onResult)),
      segments: (onResult, type = 'all') => {
        if (typeof type !== 'string') given.wrong('segments', 1, 'a group or platform');
        return answer(codes(typeof type === 'string' ? type : 'all'), given.callback('segments', 0, onResult));
      },
      explain: (code, onWords) =>
        new Promise<string | null>((resolve) => {
          const tell = given.callback('explain', 1, onWords);
          calls.explain({
            id: given.cohortId('explain', code),
            tell: (words) => {
              tell(words);
              resolve(words);
            },
          });
        }),
    },
    follow: ({ cohorts$, context }) => {
      ofPage = () => context().contextual?.cohorts ?? [];
      return cohorts$.pipe(
        tap((now) => {
          tellTriggers(cohorts, now, listeners);
          cohorts = now;
        }),
      );
    },
    forget: () => {
      cohorts = noCohorts;
      ofPage = () => [];
    },
  };
};

/**
 * Calls triggers as soon as memberships change. Published transitions are debounced, so a trigger that waited for them
 * would be later than the answer of `segment`.
 */
const tellTriggers = (before: Cohorts, after: Cohorts, { membership }: Listeners): void => {
  for (const id of after.members) if (!before.members.includes(id)) membership(id, true);
  for (const id of before.members) if (!after.members.includes(id)) membership(id, false);
};
