import {
  lastNameOf,
  publishedTaxonomies,
  type PublishedTaxonomy,
  type TaxonomyEntry,
} from '../../../project/taxonomies/published';
import { contentTaxonomies, googleTaxonomies } from '../../../src/addons/adServer/taxonomies';
import { ownEntry } from '../../../src/hardening/ownFields';

/** An entry with its name, such as `Sports > Tennis`. */
export interface NamedEntry extends TaxonomyEntry {
  readonly name: string;
}

/** The published entries that a search finds, and how many there are beyond those that were asked for. */
export interface FoundEntries {
  readonly entries: readonly NamedEntry[];
  readonly others: number;
}

/** The rank of an entry that a search does not find. */
const notFound = 5;

/**
 * The entries of a taxonomy with an id, or with all words of a search in their names. The entry of the id comes first,
 * then those whose last names are the search, begin with it, or have all of its words. The others are found by the
 * names above theirs.
 */
export const findEntries = (segtax: number, wanted: string, limit: number): FoundEntries => {
  const search = wanted.trim().toLowerCase();
  const words = search.split(' ').filter((word) => word !== '');
  if (words.length === 0) return { entries: [], others: 0 };
  const rankOf = (id: string, name: string): number => {
    if (id.toLowerCase() === search) return 0;
    const last = lastNameOf(name);
    if (last === search) return 1;
    if (last.startsWith(search)) return 2;
    if (words.every((word) => last.includes(word))) return 3;
    return words.every((word) => name.includes(word)) ? 4 : notFound;
  };
  const found = Object.entries(taxonomyOf(segtax)?.ids ?? {})
    .map(([name, id]) => ({ name, id, segtax, rank: rankOf(id, name.toLowerCase()) }))
    .filter(({ rank }) => rank < notFound)
    .sort((a, b) => a.rank - b.rank);
  const entries = found.slice(0, limit).map(({ name, id }): NamedEntry => ({ segtax, id, name }));
  return { entries, others: found.length - entries.length };
};

/** Numbers of the taxonomies whose entries can be searched. */
export const searchable = Object.keys(publishedTaxonomies).map(Number);

export const taxonomyOf = (segtax: number): PublishedTaxonomy | undefined =>
  ownEntry(publishedTaxonomies, String(segtax));

/** The name of a taxonomy; of one that is not known here, its number. */
export const taxonomyName = (segtax: number): string => taxonomyOf(segtax)?.name ?? `Taxonomy ${segtax}`;

/** What a taxonomy is about, and who is told of its entries. */
export const taxonomyHelp = (segtax: number): string => {
  const about = contentTaxonomies.includes(String(segtax)) ? 'what the page is about' : 'who the visitor is';
  const partners = Object.values(googleTaxonomies).includes(segtax)
    ? 'bidders of Prebid and Google’s tag'
    : 'bidders of Prebid; Google’s tag does not take this taxonomy';
  return `Its entries say ${about}. Told to: ${partners}.`;
};
