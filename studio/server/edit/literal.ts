import type { TaxonomyEntry } from '../../protocol';

/** A value that stands in a source as a literal, and where. */
export type Literal = ObjectLiteral | ListLiteral | PlainLiteral | EntryLiteral;

interface Placed {
  readonly start: number;
  readonly end: number;
}

export interface ObjectLiteral extends Placed {
  readonly kind: 'object';
  readonly items: readonly Property[];
}

/** A key with its value; from the key's first character on. */
export interface Property extends Placed {
  readonly key: string;
  readonly value: Literal;
}

export interface ListLiteral extends Placed {
  readonly kind: 'list';
  readonly items: readonly Literal[];
}

export interface PlainLiteral extends Placed {
  readonly kind: 'plain';
  readonly value: string | number | boolean | null;
}

/** A call of `taxonomyEntry`, which names an entry of a published taxonomy. */
export interface EntryLiteral extends Placed {
  readonly kind: 'entry';
  readonly value: TaxonomyEntry;
}

/** Something that is computed, with the beginning of the code that computes it. */
export interface Computed extends Placed {
  readonly kind: 'computed';
  readonly code: string;
}

/** The value of a literal, as JSON has it. */
export const valueOf = (literal: Literal): unknown => {
  if (literal.kind === 'plain' || literal.kind === 'entry') return literal.value;
  if (literal.kind === 'list') return literal.items.map(valueOf);
  return Object.fromEntries(literal.items.map(({ key, value }) => [key, valueOf(value)]));
};

/** A change of a text: what stands between two places is replaced. */
export interface TextEdit extends Placed {
  readonly text: string;
}

/** The text after edits that do not overlap. */
export const withEdits = (text: string, edits: readonly TextEdit[]): string =>
  [...edits]
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((changed, edit) => changed.slice(0, edit.start) + edit.text + changed.slice(edit.end), text);
