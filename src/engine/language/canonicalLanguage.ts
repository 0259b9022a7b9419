import type { Cmp, Definition, Id, NumberTest, ProviderTest, Scalar } from './language';
import type { Fold } from './text';

// The one form of a query that is compiled and hashed: no sugar, all defaults written, everything sorted.

export type CanonicalPred =
  | { readonly and: readonly CanonicalPred[] }
  | { readonly or: readonly CanonicalPred[] }
  | { readonly not: CanonicalPred }
  | CanonicalMatch<CanonicalPred>
  | CanonicalLeaf;

export interface CanonicalMatch<Node> {
  readonly match: readonly Node[];
  readonly min: number;
  readonly max?: number;
}

export type CanonicalLeaf = OperandLeaf | ElementLeaf | ValueLeaf;

/** A leaf that compares text with a list of operands. */
export type OperandLeaf = LeafBase & { readonly [Tag in OperandTag]?: readonly Scalar[] };
export type OperandTag = (typeof operandTags)[number];
/** The keys under which a leaf has operands. */
export const operandTags = [
  'in',
  'nin',
  'contains',
  'startsWith',
  'endsWith',
  'words',
  'under',
  'urlPath',
  'domain',
] as const;

/** A leaf over the objects of a list. */
export type ElementLeaf = LeafBase &
  ({ readonly any: CanonicalPred } | { readonly all: CanonicalPred } | { readonly none: CanonicalPred });

export type ValueLeaf = LeafBase &
  (
    | NumberTest
    | { readonly after?: string; readonly before?: string }
    | { readonly exists: boolean }
    | { readonly is: boolean }
    | { readonly size: Cmp }
  );

interface LeafBase {
  readonly p: string;
  readonly min?: number;
  readonly max?: number;
  readonly hashed?: true;
  readonly grams?: number;
  readonly fold?: Fold;
}

export type CanonicalExpr =
  | { readonly const: boolean }
  | { readonly and: readonly CanonicalExpr[] }
  | { readonly or: readonly CanonicalExpr[] }
  | { readonly not: CanonicalExpr }
  | CanonicalMatch<CanonicalExpr>
  | { readonly sub: number }
  | { readonly cohort: Id }
  | CellExpr
  | { readonly lookup: 'geo' | 'client' | 'user' | 'classification'; readonly where: CanonicalPred }
  | { readonly thirdParty: ProviderTest }
  | { readonly secondParty: ProviderTest }
  | { readonly lookalike: ModelTest };

export interface ModelTest {
  readonly model: string;
  readonly gte: number;
  readonly data?: '1p' | '3p';
}

/** The nodes that keep a state. */
export type CellExpr = TransitionExpr | EventExpr | SequenceExpr | EdgeExpr;
export type TransitionExpr = CanonicalCounted & ({ readonly entered: Id } | { readonly exited: Id });
export type EventExpr = CanonicalCounted &
  CanonicalStep & { readonly sum?: string; readonly distinct?: string; readonly remote?: true };
export type SequenceExpr = CanonicalCounted & { readonly sequence: readonly CanonicalStep[]; readonly span?: number };
export type EdgeExpr = { readonly is: CanonicalPred; readonly within?: number } & (
  { readonly last: CanonicalStep } | { readonly first: CanonicalStep }
);

export interface CanonicalCounted {
  readonly is: Cmp;
  readonly within?: number | 'session' | 'view';
  readonly buckets?: number;
}

export interface CanonicalStep {
  readonly event: readonly string[];
  readonly where?: CanonicalPred;
}

/** The meaning of a definition, without its name, its activations and the way it was written. */
export interface CanonicalQuery {
  readonly q: CanonicalExpr;
  readonly sub: readonly CanonicalExpr[];
}

/** A definition as it is compiled. */
export interface PublishedDefinition extends Omit<Definition, 'q' | 'sub'> {
  readonly q: CanonicalExpr;
  readonly sub?: readonly CanonicalExpr[];
  readonly canonical: true;
  readonly checksum: string;
}

/** Takes a definition from outside; throws what is wrong with it. */
export type ReadDefinition = (input: unknown) => PublishedDefinition;

/** Whether a node keeps a state. */
export const isCellExpr = (node: CanonicalExpr): node is CellExpr =>
  'event' in node || 'last' in node || 'first' in node || 'sequence' in node || 'entered' in node || 'exited' in node;
