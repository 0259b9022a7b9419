import { defer, ignoreElements, type Observable, tap } from 'rxjs';

import { AnyString, DecodeError, list, readAs, table } from '../../codecs/codecs';
import { ownEntry } from '../../hardening/ownFields';
import type { CohortId } from '../../model/cohort';
import type { AddonDeps, AddonStreams } from '../addon';

/**
 * What cohorts mean to buyers: by number of a taxonomy (`segtax` of OpenRTB) and cohort, the ids of entries there. 4 is
 * the IAB's Audience Taxonomy 1.1, 6 its Content Taxonomy 2.2, and 7 its Content Taxonomy 3.0; the list of all was read
 * on 2026-11-30:
 * https://github.com/InteractiveAdvertisingBureau/openrtb/blob/main/extensions/community_extensions/segtax.md
 */
export type TaxonomyTable = Readonly<Record<string, Readonly<Record<CohortId, readonly string[]>>>>;

const TaxonomyTableCodec = table('taxonomies', table('taxonomy', list(AnyString)));

/** The table that the build has put into an addon's options; empty where that is none. */
export const taxonomyTableOf = (configured: Readonly<Record<string, unknown>>): TaxonomyTable => {
  const found = readAs(TaxonomyTableCodec, ownEntry(configured, 'taxonomies') ?? {});
  return found instanceof DecodeError ? {} : found;
};

/** Taxonomies of the IAB that Google's tag takes, by its names of them: their numbers. */
export const googleTaxonomies: Readonly<Record<string, number>> = { IAB_AUDIENCE_1_1: 4, IAB_CONTENT_2_2: 6 };

/** The taxonomies whose entries say what a page is about. All others say who a visitor is. */
export const contentTaxonomies: readonly string[] = ['6', '7'];

/** Entries of one taxonomy that are told of a visitor, at most. */
export const maxTaxonomyEntries = 100;

/** The entries of one taxonomy for these cohorts, each once, sorted; at most `maxTaxonomyEntries` of them. */
export const taxonomyEntries = (
  members: readonly CohortId[],
  byCohort: Readonly<Record<CohortId, readonly string[]>>,
): readonly string[] =>
  [...new Set(members.flatMap((id) => ownEntry(byCohort, id) ?? []))].sort().slice(0, maxTaxonomyEntries);

/** Entries of a visitor: the taxonomy, the id of an entry, and the visitor's cohorts that mean it. */
const entriesWithCohorts = (members: readonly CohortId[], table: TaxonomyTable): readonly (readonly string[])[] =>
  Object.entries(table).flatMap(([taxonomy, byCohort]) =>
    taxonomyEntries(members, byCohort).map((id) => [
      taxonomy,
      id,
      ...members.filter((cohort) => ownEntry(byCohort, cohort)?.includes(id)),
    ]),
  );

/**
 * Keeps the visitor's entries under a key of local storage, for the companion of the next page, which tells an entry
 * while a cohort that means it lasts. `table` has the names of taxonomies that the companion uses. What the last page
 * has stored stands until this page has evaluated its cohorts.
 */
export const keepEntries = (
  key: string,
  table: TaxonomyTable,
  { cohorts$ }: Pick<AddonStreams, 'cohorts$'>,
  { readKey, writeKey }: Pick<AddonDeps, 'readKey' | 'writeKey'>,
): Observable<never> =>
  defer(() => {
    let kept: string | undefined;
    return cohorts$.pipe(
      tap(({ members, isRealtime }) => {
        if (!isRealtime) {
          // What was stored of another user has been removed.
          kept = undefined;
          return;
        }
        const entries = entriesWithCohorts(members, table);
        const text = JSON.stringify(entries);
        if (text !== (kept ?? JSON.stringify(readKey(key) ?? []))) writeKey(key, entries);
        kept = text;
      }),
      ignoreElements(),
    );
  });
