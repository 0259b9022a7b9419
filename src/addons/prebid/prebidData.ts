import { dequal } from 'dequal/lite';
import {
  combineLatest,
  defer,
  exhaustMap,
  finalize,
  fromEventPattern,
  ignoreElements,
  map,
  merge,
  type Observable,
  switchMap,
  tap,
} from 'rxjs';

import { isRecord } from '../../codecs/codecs';
import { ownEntry, ownFields } from '../../hardening/ownFields';
import type { CohortId } from '../../model/cohort';
import type { Cohorts } from '../../model/cohorts';
import { localKeys } from '../../model/storageKeys';
import { perform } from '../../operators/creators/perform';
import { isolate } from '../../operators/isolate';
import type { Addon, AddonDeps, AddonStreams } from '../addon';
import { fromPrebid } from '../adServer/fromPrebid';
import { type DataEntry, dataName, dataWhere, type FirstPartyData, withData } from '../adServer/ortb2';
import type { Prebid } from '../adServer/pbjs';
import {
  contentTaxonomies,
  keepEntries,
  taxonomyEntries,
  type TaxonomyTable,
  taxonomyTableOf,
} from '../adServer/taxonomies';

/**
 * Prebid: what the visitor's cohorts mean in taxonomies that buyers read, for each bidder and without a module of
 * Prebid's (contract: taxonomies). The data stand in Prebid's setting `ortb2` under the host of the site, and are
 * replaced at each change of cohorts; data under other names stay. A page that sets `ortb2` anew has them again in the
 * same task. Where consent goes or the visitor objects to sharing, nothing of it is left. Cohorts that describe the
 * page, in a taxonomy of content, are said of its content. Where the project has an experiment, bidders are told the
 * visitor's group as `user.ext.data.prmtvexp`.
 *
 * https://docs.prebid.org/features/firstPartyData.html, read on 2026-11-28. How settings are listened to: the comments
 * in `src/config.ts` of Prebid 11.36, read on 2026-11-29.
 */
export const prebidData: Addon<unknown> = {
  name: 'prebid_data',
  autoInit: true,
  options: (input) => input,
  run: (streams, options$, deps) =>
    options$.pipe(
      // switchMap: a second start replaces the first.
      switchMap(() => {
        const taxonomies = taxonomyTableOf(deps.configured);
        return merge(
          keepEntries(localKeys.prebidData, taxonomies, streams, deps),
          fromPrebid(streams, deps, () => undefined).pipe(
            switchMap((pbjs) => provideData(pbjs, taxonomies, streams, deps)),
          ),
        );
      }),
    ),
};

const nothingSaid: FirstPartyData = { user: [], content: [], group: undefined };

/** Keeps the data up to date. Prebid's settings are left alone until there is something to say. */
const provideData = (
  pbjs: Prebid,
  taxonomies: TaxonomyTable,
  { cohorts$, sharing$ }: AddonStreams,
  deps: AddonDeps,
): Observable<never> =>
  defer(() => {
    const name = dataName(deps.origin());
    const isOurs = (list: Readonly<Record<string, unknown>>): boolean =>
      list['name'] === name &&
      isRecord(list['ext']) &&
      ownEntry(taxonomies, String(list['ext']['segtax'])) !== undefined;
    let data = nothingSaid;
    const set = (): void => {
      try {
        const ortb2 = pbjs.getConfig?.('ortb2');
        if (!dequal(dataWhere(ortb2, isOurs), data)) pbjs.setConfig?.({ ortb2: withData(ortb2, data, isOurs) });
      } catch (cause) {
        deps.report(tellFailed, cause);
      }
    };
    const changed$ = combineLatest([cohorts$, sharing$]).pipe(
      map(([cohorts, mayShare]) => (mayShare ? firstPartyDataOf(cohorts, taxonomies, name) : nothingSaid)),
      tap((now) => {
        data = now;
        set();
      }),
      ignoreElements(),
    );
    return merge(
      // exhaustMap: two scripts that each undo what the other sets would go on forever.
      rewritten(pbjs).pipe(
        isolate(tellFailed, deps.report),
        exhaustMap(() => perform(set)),
      ),
      changed$,
    ).pipe(
      finalize(() => {
        data = nothingSaid;
        set();
      }),
    );
  });

const tellFailed = 'Prebid failed to take cohorts';

/** Emits whenever anybody has set `ortb2`, which replaces all of it. A page does so at each route, for its content. */
const rewritten = (pbjs: Prebid): Observable<unknown> =>
  fromEventPattern(
    (listener) => pbjs.getConfig?.('ortb2', listener),
    (_, remove: unknown) => typeof remove === 'function' && (remove as () => unknown)(),
  );

/** What is said of a visitor in these cohorts, and of the page. */
const firstPartyDataOf = (cohorts: Cohorts, table: TaxonomyTable, name: string): FirstPartyData => {
  const { contextual = [], affinity = [] } = ownFields(ownFields(cohorts).produced ?? {});
  const ofPage = new Set([...contextual, ...affinity]);
  const listsOf = (members: readonly CohortId[], isWanted: (segtax: string) => boolean): readonly DataEntry[] =>
    Object.entries(table).flatMap(([segtax, byCohort]) => {
      const ids = isWanted(segtax) ? taxonomyEntries(members, byCohort) : [];
      return ids.length === 0 ? [] : [{ name, ext: { segtax: Number(segtax) }, segment: ids.map((id) => ({ id })) }];
    });
  const isContent = (segtax: string): boolean => contentTaxonomies.includes(segtax);
  const others = cohorts.members.filter((id) => !ofPage.has(id));
  return {
    user: [
      ...listsOf(cohorts.members, (segtax) => !isContent(segtax)),
      // What a visitor reads about is an interest of theirs.
      ...listsOf(others, isContent),
    ],
    content: listsOf([...ofPage], isContent),
    group: ownFields(cohorts).group,
  };
};
