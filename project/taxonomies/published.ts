import { ownEntry } from '../../src/hardening/ownFields';
import { iabAudience11 } from './iabAudience11';
import { iabContent22 } from './iabContent22';
import { iabContent30 } from './iabContent30';

/** A taxonomy, with all entries that were published. */
export interface PublishedTaxonomy {
  /** Such as `Audience Taxonomy 1.1 of the IAB`. */
  readonly name: string;
  /** The ids of its entries, by their names. A name begins with those of the entries above, as in `Sports > Tennis`. */
  readonly ids: Readonly<Record<string, string>>;
}

/** An entry of a taxonomy: the taxonomy's number in OpenRTB (`segtax`), and the entry's id there. */
export interface TaxonomyEntry {
  readonly segtax: number;
  readonly id: string;
}

/** The ids of entries, by number of the taxonomy (`segtax` of OpenRTB) and name of the entry. */
export const publishedIds = { 4: iabAudience11, 6: iabContent22, 7: iabContent30 } as const;

/** The taxonomies whose entries are known here, by number. */
export const publishedTaxonomies: Readonly<Record<string, PublishedTaxonomy>> = {
  4: { name: 'Audience Taxonomy 1.1 of the IAB', ids: publishedIds[4] },
  6: { name: 'Content Taxonomy 2.2 of the IAB', ids: publishedIds[6] },
  7: { name: 'Content Taxonomy 3.0 of the IAB', ids: publishedIds[7] },
};

/** The name of an entry without those of the entries above. */
export const lastNameOf = (name: string): string => name.slice(name.lastIndexOf('>') + 1).trimStart();

/** The name of an entry; undefined where no known taxonomy has it. */
export const publishedName = ({ segtax, id }: TaxonomyEntry): string | undefined =>
  Object.entries(ownEntry(publishedTaxonomies, String(segtax))?.ids ?? {}).find(([, known]) => known === id)?.[0];
