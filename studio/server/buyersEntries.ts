import { googleTaxonomies } from '../../src/addons/adServer/taxonomies';
import { AnyNumber, AnyString, DecodeError, isRecord, list, object, readAs, shape } from '../../src/codecs/codecs';
import { ownEntry } from '../../src/hardening/ownFields';
import type { SetEntry, TaxonomyEntry } from '../protocol';

export const TaxonomyEntryCodec = object('an entry of a taxonomy', shape({ segtax: AnyNumber, id: AnyString }));
const EntriesCodec = list(TaxonomyEntryCodec);

const tableIn = (input: unknown, name: string): Readonly<Record<string, unknown>> | undefined => {
  const table = isRecord(input) ? ownEntry(input, name) : undefined;
  return isRecord(table) ? table : undefined;
};

/** `taxonomies` of a definition that nobody has checked yet; undefined where that is no object. */
export const loadedTaxonomies = (input: unknown): Readonly<Record<string, unknown>> | undefined =>
  tableIn(input, 'taxonomies');

/** The entries of a cohort; undefined where the definition has something else there. */
export const entriesIn = (input: unknown, id: string): readonly TaxonomyEntry[] | undefined => {
  const entries = readAs(EntriesCodec, ownEntry(loadedTaxonomies(input) ?? {}, id) ?? []);
  return entries instanceof DecodeError ? undefined : entries;
};

/** The entries of a cohort under `pps`, the older form. */
export const olderEntriesIn = (input: unknown, cohort: string): readonly TaxonomyEntry[] => {
  const pps = tableIn(input, 'pps');
  return Object.entries(googleTaxonomies).flatMap(([name, segtax]) => {
    const id = ownEntry(tableIn(pps, name) ?? {}, cohort);
    return typeof id === 'string' ? [{ segtax, id }] : [];
  });
};

/** The entries of a cohort once an order is done. The file gets nothing of an entry but what names it. */
export const entriesAfter = (
  entries: readonly TaxonomyEntry[],
  { entry: { segtax, id }, isWanted }: Pick<SetEntry, 'entry' | 'isWanted'>,
): readonly TaxonomyEntry[] => {
  const isSame = (each: TaxonomyEntry): boolean => each.segtax === segtax && each.id === id;
  if (!isWanted) return entries.filter((each) => !isSame(each));
  return entries.some(isSame) ? entries : [...entries, { segtax, id }];
};
