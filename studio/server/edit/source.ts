import type { Container, Written } from './edits';
import type { Computed, Literal } from './literal';

/** Where a cohort stands in a source, or why it cannot be changed there. */
export type CohortPlace =
  | {
      readonly type: 'literal';
      readonly literal: Literal;
      /** The list that it is an item of; undefined where it stands elsewhere, such as under a name. */
      readonly list: Container | undefined;
      readonly index: number;
    }
  | { readonly type: 'fixed'; readonly reason: string; readonly at: number | undefined };

/** An object of a source. A key is undefined where code says which keys there are. */
export interface Table extends Container {
  readonly items: readonly {
    readonly key: string | undefined;
    readonly value: Literal | Computed;
    readonly start: number;
    readonly end: number;
  }[];
}

export type Taxonomies =
  { readonly type: 'table'; readonly table: Table } | { readonly type: 'absent'; readonly definition: Container };

/** A source that has a definition, read. */
export interface Source extends Written {
  /** The place of a cohort whose definition is known. */
  readonly placeOf: (definition: { readonly id: string }) => CohortPlace;
  /** The literal of an entry that begins at a place. */
  readonly literalAt: (start: number) => Literal | undefined;
  /** The list that new cohorts are added to; undefined where there is none that can be read. */
  readonly queries: Container | undefined;
  /** `taxonomies` of the definition, or the definition that has none; undefined where neither can be read. */
  readonly taxonomies: Taxonomies | undefined;
}

/** Why something cannot be changed where code computes it. `what` is that which code makes. */
export const computedReason = (text: string, what: string, { code, start }: Computed): string =>
  `Code makes ${what}: \`${code}\` stands on line ${lineAt(text, start)}.`;

/** The line of a place, counted from 1. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;
