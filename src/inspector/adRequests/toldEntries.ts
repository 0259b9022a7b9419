import { combineLatest, map, mergeMap, type Observable, switchMap } from 'rxjs';

import {
  googleTaxonomies,
  taxonomyEntries,
  type TaxonomyTable,
  taxonomyTableOf,
} from '../../addons/adServer/taxonomies';
import { ownEntry, ownFields } from '../../hardening/ownFields';
import type { CohortId } from '../../model/cohort';
import type { DeferredParts } from '../../visit/world';
import type { InspectedPage } from '../inspectedPage';
import type { AdRequest } from './adRequest';

/** What partners are told of the visitor in terms of public taxonomies. */
export interface ToldEntries {
  /** The visitor's cohorts that partners may be told of. */
  readonly members: readonly CohortId[];
  /** The entries, such as `4:364`, that a partner is told of a visitor in these cohorts. */
  readonly entriesOf: (partner: AdRequest['partner'], members: readonly CohortId[]) => readonly string[];
}

/** What partners are told at present. State, without a value before the visit has begun. */
export const toldEntries = ({ visit$, world }: Pick<InspectedPage, 'visit$' | 'world'>): Observable<ToldEntries> =>
  visit$.pipe(
    // Where there is a visit there is consent, so that the chunk may be loaded.
    switchMap(({ cohorts$ }) =>
      world.deferredParts$.pipe(
        mergeMap(({ addonOptions, fromSharing }) =>
          combineLatest([cohorts$, fromSharing(world)]).pipe(
            map(([{ members }, mayShare]) => ({
              members: mayShare ? members : [],
              entriesOf: entriesBy({ ...world.project.addons, ...addonOptions }),
            })),
          ),
        ),
      ),
    ),
  );

/** The addons that tell partners of entries. */
const addonOf: Partial<Readonly<Record<AdRequest['partner'], string>>> = {
  google: 'google_pps',
  prebid: 'prebid_data',
};

const entriesBy =
  (options: DeferredParts['addonOptions']): ToldEntries['entriesOf'] =>
  (partner, members) =>
    Object.entries(tableFor(partner, options)).flatMap(([segtax, byCohort]) =>
      taxonomyEntries(members, byCohort).map((id) => `${segtax}:${id}`),
    );

/** What the definition says of entries for a partner. Google's tag takes some taxonomies only. */
const tableFor = (partner: AdRequest['partner'], options: DeferredParts['addonOptions']): TaxonomyTable => {
  const configured = ownEntry(options, addonOf[partner] ?? '') ?? {};
  if (ownFields(configured).auto_init === false) return {};
  const table = taxonomyTableOf(configured);
  const taken = Object.values(googleTaxonomies).map(String);
  return partner === 'google'
    ? Object.fromEntries(Object.entries(table).filter(([segtax]) => taken.includes(segtax)))
    : table;
};
