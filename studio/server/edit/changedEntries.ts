import { dequal } from 'dequal';

import { ownEntry } from '../../../src/hardening/ownFields';
import type { TaxonomyEntry } from '../../protocol';
import { FixedCohort, readOrThrow, type ReadSource, replaced } from './changedText';
import { added, type Container, removed } from './edits';
import { type Literal, valueOf, withEdits } from './literal';
import { computedReason, lineAt, type Source, type Table } from './source';
import { propertyText } from './style';

/** `taxonomies` of the definition that a source makes; undefined where it makes none. */
export type LoadedTaxonomies = Readonly<Record<string, unknown>> | undefined;

/** Where the entries of a cohort stand in a source, where they can be added, or why they cannot be changed there. */
export type EntriesPlace =
  | { readonly type: 'literal'; readonly literal: Literal; readonly table: Table; readonly index: number }
  | { readonly type: 'absent'; readonly table: Table }
  | { readonly type: 'noTable'; readonly definition: Container }
  | { readonly type: 'fixed'; readonly reason: string };

/** The place of a cohort's entries in a source whose definition is known. */
export const entriesPlace = ({ text, taxonomies }: Source, id: string, loaded: LoadedTaxonomies): EntriesPlace => {
  const fixed = (reason: string): EntriesPlace => ({ type: 'fixed', reason });
  if (taxonomies === undefined) return fixed('The file has no object `taxonomies` that can be read.');
  if (taxonomies.type === 'absent')
    return loaded === undefined
      ? { type: 'noTable', definition: taxonomies.definition }
      : fixed('Code makes `taxonomies`: the file does not have it beside `queries`.');
  const { table } = taxonomies;
  const entries = ownEntry(loaded ?? {}, id);
  const index = indexOf(table, id);
  const item = table.items[index];
  if (item === undefined)
    return entries === undefined
      ? { type: 'absent', table }
      : fixed(`Code makes these entries: \`taxonomies\` of the file has no key ${id}.`);
  const { value: literal, start } = item;
  if (literal.kind === 'computed') return fixed(computedReason(text, 'these entries', literal));
  return dequal(valueOf(literal), entries)
    ? { type: 'literal', literal, table, index }
    : fixed(`Code changes these entries after line ${lineAt(text, start)}.`);
};

const indexOf = ({ items }: Table, id: string): number => items.findIndex(({ key }) => key === id);

/** The text after a change of one cohort's entries. All other bytes stay. Throws `FixedCohort`. */
export const changedEntries = (
  text: string,
  read: ReadSource,
  loaded: LoadedTaxonomies,
  { id, to }: { readonly id: string; readonly to: readonly TaxonomyEntry[] },
): string => {
  const source = readOrThrow(text, read);
  const place = entriesPlace(source, id, loaded);
  if (place.type === 'fixed') throw new FixedCohort(place.reason);
  if (place.type === 'literal')
    return to.length === 0
      ? withEdits(text, removed(source, place.table, place.index))
      : replaced(text, read, (now) => literalIn(now, id), to);
  if (to.length === 0) return text;
  const [container, key, value] =
    place.type === 'absent' ? [place.table, id, to] : [place.definition, 'taxonomies', { [id]: to }];
  const edits = added(source, container, container.items.length, (indent) =>
    propertyText(key, value, source.style, indent),
  );
  return withEdits(text, edits);
};

const literalIn = ({ taxonomies }: Source, id: string): Literal | undefined => {
  if (taxonomies?.type !== 'table') return undefined;
  const value = taxonomies.table.items[indexOf(taxonomies.table, id)]?.value;
  return value?.kind === 'computed' ? undefined : value;
};
