import type { OperandTag } from './extraction';
import type { Bundle, Cmp, DateTest, Definition, Id, ModelTest, ProviderTest, RecordName, Scalar } from './language';
import type { Fold } from './text';
import type { flagTests, numberTests, OneOf, presenceTests } from './valueTests';

// The one form of a query that is compiled and hashed: without the short forms, all defaults written, everything
// sorted. Types that are not described here have the meaning of their counterpart in language.ts.

export type CanonicalPred =
  | { readonly and: readonly CanonicalPred[] }
  | { readonly or: readonly CanonicalPred[] }
  | { readonly not: CanonicalPred }
  | CanonicalMatch<CanonicalPred>
  | CanonicalLeaf;

/** Holds when at least `min` and at most `max` of the nodes hold; no `max` is no limit. */
export interface CanonicalMatch<Node> {
  readonly match: readonly Node[];
  readonly min: number;
  readonly max?: number;
}

/** A test of the values at one path. */
export type CanonicalLeaf = OperandLeaf | ElementLeaf | ValueLeaf;

/** A leaf that compares text with a list of operands. The leaf has exactly one of the operand tags. */
export type OperandLeaf = LeafBase & { readonly [Tag in OperandTag]?: readonly Scalar[] };

/** A leaf that tests the objects of a list one by one. */
export type ElementLeaf = LeafBase &
  ({ readonly any: CanonicalPred } | { readonly all: CanonicalPred } | { readonly none: CanonicalPred });

/** A leaf that tests values other than text. */
export type ValueLeaf = LeafBase &
  (
    | OneOf<typeof numberTests>
    | DateTest
    | OneOf<typeof presenceTests>
    | OneOf<typeof flagTests>
    | { readonly size: Cmp }
  );

/** What leaves may have beside their test; each field says more in `Leaf` of language.ts. */
interface LeafBase {
  readonly p: string;
  readonly min?: number;
  readonly max?: number;
  readonly hashed?: true;
  readonly grams?: number;
  readonly fold?: Fold;
}

/** The condition of a cohort, or a part of it. */
export type CanonicalExpr =
  | { readonly const: boolean }
  | { readonly and: readonly CanonicalExpr[] }
  | { readonly or: readonly CanonicalExpr[] }
  | { readonly not: CanonicalExpr }
  | CanonicalMatch<CanonicalExpr>
  | { readonly sub: number }
  | { readonly cohort: Id }
  | CellExpr
  | { readonly lookup: RecordName; readonly where: CanonicalPred }
  | { readonly thirdParty: ProviderTest }
  | { readonly secondParty: ProviderTest }
  | { readonly lookalike: ModelTest };

/** The nodes that keep a state: each has one cell. */
export type CellExpr = TransitionExpr | EventExpr | SequenceExpr | EdgeExpr;
/** Counts how often the visitor entered or left a cohort. */
export type TransitionExpr = CanonicalCounted & ({ readonly entered: Id } | { readonly exited: Id });
/** Counts events, sums a property of theirs, or counts the different values of one. */
export type EventExpr = CanonicalCounted &
  CanonicalStep & { readonly sum?: string; readonly distinct?: string; readonly remote?: true };
/** Counts how often events happened in a given order; `span` is in ms. */
export type SequenceExpr = CanonicalCounted & { readonly sequence: readonly CanonicalStep[]; readonly span?: number };
/** Tests the latest or the earliest event; `within` is in ms. */
export type EdgeExpr = { readonly is: CanonicalPred; readonly within?: number } & (
  { readonly last: CanonicalStep } | { readonly first: CanonicalStep }
);

/** What counting nodes have in common. */
export interface CanonicalCounted {
  /** What is asked of the count. */
  readonly is: Cmp;
  /** The window in ms, or the current session or view. Absent for life time. */
  readonly within?: number | 'session' | 'view';
  /** Into how many buckets the window is cut. Present if and only if `within` is a number. */
  readonly buckets?: number;
}

/** Events of some names, sorted, that satisfy a predicate. */
export interface CanonicalStep {
  readonly event: readonly string[];
  readonly where?: CanonicalPred;
}

/**
 * The meaning of a definition, without its name, its activations and the way it was written. The checksum covers this
 * meaning.
 */
export interface CanonicalQuery {
  readonly q: CanonicalExpr;
  readonly sub: readonly CanonicalExpr[];
}

/** A definition as it is compiled: in canonical form and with its checksum. The build makes it, or `readDefinition`. */
export interface PublishedDefinition extends Omit<Definition, 'q' | 'sub'> {
  readonly q: CanonicalExpr;
  readonly sub?: readonly CanonicalExpr[];
  readonly canonical: true;
  readonly checksum: string;
}

/** A bundle as the build makes it. */
export interface PublishedBundle extends Bundle {
  /** Names all queries together (`bundleChecksumOf`). Absent: it is made of the checksums of the queries. */
  readonly checksum?: string;
  /** The properties that its queries read and that may come later than their event (`pageviewFields`). */
  readonly lateFields?: readonly string[];
  /** Queries that are not among `queries`. */
  readonly resting?: RestingQueries;
}

/**
 * Queries that do not hold, and stay so until an event meets a leaf of their predicates. Queries have numbers here,
 * from 0, in the order of their ids.
 */
export interface RestingQueries {
  readonly ids: readonly Id[];
  readonly checksums: readonly string[];
  readonly sources: readonly WakingSource[];
  /**
   * Definitions as JSON, without id and checksum, each text once. Where a leaf has a number in the place of its
   * operands, these are the keys of that leaf: the leaves of a query are counted from 0, source by source.
   */
  readonly definitions: readonly string[];
  /** By query, its place in `definitions`. */
  readonly places: readonly number[];
}

/** What is read at one path of some events, and the leaves that ask for it. One key is enough to wake their queries. */
export interface WakingSource {
  readonly events: readonly string[];
  readonly path: string;
  readonly tag: OperandTag;
  readonly hashed: boolean;
  readonly fold: Fold;
  /** The longest run of words or path segments that a key may span. */
  readonly longest: number;
  /** The keys, each once, in the order of operands. */
  readonly keys: readonly Scalar[];
  /** How many leaves ask for each key. */
  readonly counts: readonly number[];
  /** The leaves of the first key, then those of the second, and so on. Leaves have numbers of this source here. */
  readonly askers: readonly number[];
  /** The query of each leaf. */
  readonly queries: readonly number[];
}

/** The ids of all queries of a bundle. */
export const idsOf = ({ queries, resting }: PublishedBundle): readonly Id[] => [
  ...queries.map(({ id }) => id),
  ...(resting?.ids ?? []),
];

/** Takes a definition from outside; throws what is wrong with it. */
export type ReadDefinition = (input: unknown) => PublishedDefinition;

/** Whether a node keeps a state. */
export const isCellExpr = (node: CanonicalExpr): node is CellExpr =>
  'event' in node || 'last' in node || 'first' in node || 'sequence' in node || 'entered' in node || 'exited' in node;
