import { ownEntry } from '../../src/hardening/ownFields';
import { type publishedIds, publishedTaxonomies } from '../taxonomies/published';

type PublishedIds = typeof publishedIds;

/**
 * An entry of a published taxonomy, for `taxonomies` of the definition: `taxonomyEntry(4, 'Interest > Sports')`.
 * `segtax` is the taxonomy's number in OpenRTB: 4 is the IAB's Audience Taxonomy 1.1, 6 and 7 are its Content
 * Taxonomies 2.2 and 3.0. `name` begins with the names of the entries above. Throws where the taxonomy has no such
 * entry.
 */
export const taxonomyEntry = <Segtax extends keyof PublishedIds>(
  segtax: Segtax,
  name: keyof PublishedIds[Segtax] & string,
): { readonly segtax: Segtax; readonly id: string } => {
  const id = ownEntry(ownEntry(publishedTaxonomies, String(segtax))?.ids ?? {}, name);
  if (id === undefined) throw new Error(`taxonomy ${segtax} has no entry ${name}`);
  return { segtax, id };
};
