import { distinctUntilChanged, filter, ignoreElements, map, merge, type Observable, switchMap, tap } from 'rxjs';

import { ownEntry, ownFields } from '../hardening/ownFields';
import { codeOf, withoutSuffix } from '../model/cohort';
import { codesFor, type Cohorts, type Producer } from '../model/cohorts';
import type { PageProject } from '../model/project';
import { localKeys, partnerKeys } from '../model/storageKeys';
import { engines } from './lookups';
import type { CohortService } from './service';

/** Supply-side partners, by the code under which Prebid knows their bidder (spec S§9). */
const supplySide = ['ix', 'openx', 'appnexus', 'google_pps', 'pubmatic'];
/** Partners that curate, which also get the codes that the publisher has chosen for curation (spec S§9). */
const curators = ['pubmatic', 'appnexus', 'ix', 'openx'];

/** What Prebid's module reads: bidders, and the codes that each of them gets (contract: storage). */
interface SupplySideCodes {
  readonly ssps: readonly string[];
  readonly cohorts: readonly string[];
}

/**
 * Keeps the keys of local storage in which Prebid and partners look for cohorts (contract: storage): the numbers of all
 * cohorts, those of advertisers, clean rooms and classification models, and the codes for supply-side partners and
 * curation. `local` keeps them from partners while the visitor objects to sharing. The visitor's group of an experiment
 * is kept for the companion of the next page.
 */
export const partnerKeysService: CohortService = ({ cohorts$, adopted$ }, { local, json, project }) => {
  const kept = (key: string, value$: Observable<unknown>): Observable<never> => {
    const text$ = value$.pipe(
      map((value) => json.stringify(value)),
      distinctUntilChanged(),
      // The last page may have stored the same.
      filter((text) => text !== local.read(key)),
    );
    // What is stored goes with everything of the user before.
    return engines({ adopted$ }).pipe(
      switchMap(() => text$),
      tap((text) => local.write(key, text)),
      ignoreElements(),
    );
  };
  const codesOf = (producer: Producer): Observable<readonly string[]> =>
    cohorts$.pipe(map(({ produced }) => (produced?.[producer] ?? []).map(withoutSuffix)));
  // What the last page has stored stands until this page has evaluated its cohorts.
  const realtime$ = cohorts$.pipe(filter(({ isRealtime }) => isRealtime));
  return merge(
    kept(
      partnerKeys.all,
      realtime$.pipe(map(({ members }) => members.map(codeOf).filter((code) => typeof code === 'number'))),
    ),
    kept(partnerKeys.advertisers, codesOf('advertiser')),
    kept(partnerKeys.cleanRooms, codesOf('cleanRoom')),
    kept(partnerKeys.classificationModels, codesOf('classificationModels')),
    kept(partnerKeys.ssps, realtime$.pipe(map((cohorts) => supplySideCodes(cohorts, project)))),
    kept(
      localKeys.group,
      realtime$.pipe(
        map((cohorts) => [ownFields(cohorts).group]),
        // A project without an experiment has no groups.
        filter(([group]) => group !== undefined),
      ),
    ),
  );
};

/** Partners with at least one code of the visitor, and all codes that any of them gets (contract: cohort services). */
const supplySideCodes = (cohorts: Cohorts, project: PageProject): SupplySideCodes => {
  const chosen = ownEntry(project.optimisedActivationsConfig, 'curation_platforms');
  const curated = codesFor('curation_platforms', cohorts, project);
  const curating = listOfTexts(ownEntry<unknown>(chosen ?? {}, 'ssps')) ?? curators;
  const codes = supplySide.map((partner) => {
    const own = codesFor(partner, cohorts, project);
    return [partner, curators.includes(partner) && curating.includes(partner) ? [...own, ...curated] : own] as const;
  });
  const eligible = codes.filter(([, list]) => list.length > 0);
  return {
    ssps: eligible.map(([partner]) => partner),
    cohorts: [...new Set(eligible.flatMap(([, list]) => list))],
  };
};

const listOfTexts = (input: unknown): readonly string[] | undefined =>
  Array.isArray(input) ? input.filter((item) => typeof item === 'string') : undefined;
