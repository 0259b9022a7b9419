import type { Fold } from './text';
import type { Scalar } from './valueCodecs';
import type { flagTests, insideTests, numberTests, OneOf, partTests, presenceTests, wholeTests } from './valueTests';

export type { Scalar } from './valueCodecs';

// The query language as it is written. `canonical.ts` brings it into the one form that is compiled and hashed.

/** Id of a query, which is the id of its cohort. */
export type Id = string;
/** A number of ms, or of a unit; at most 400 days. */
export type Duration =
  | number
  | { readonly seconds: number }
  | { readonly minutes: number }
  | { readonly hours: number }
  | { readonly days: number }
  | { readonly weeks: number };
/** The time in which events count: a duration, or the current session or view. Absent means life time. */
export type Window = Duration | 'session' | 'view';
/** What is asked of a count. */
export type Cmp = NumberTest | { readonly eq: number };
/** A comparison with numbers; `between` includes both ends. */
export type NumberTest =
  | { readonly gte: number }
  | { readonly gt: number }
  | { readonly lte: number }
  | { readonly lt: number }
  | { readonly between: readonly [number, number] };
/** A comparison with ISO dates; `after` is included and `before` is not. One of the two dates may be absent. */
export interface DateTest {
  readonly after?: string;
  readonly before?: string;
}
/** Data of the page and the visitor, which predicates read. */
export type RecordName = 'geo' | 'client' | 'user' | 'classification';
/** Data that the host provides beside events. */
export type LookupName = RecordName | 'thirdParty' | 'secondParty' | 'lookalike';

/** A test of one event, of a lookup's value, or of an element of a list. */
export type Pred =
  { readonly and: readonly Pred[] } | { readonly or: readonly Pred[] } | { readonly not: Pred } | MatchOf<Pred> | Leaf;

/** Holds when at least `min` (1 without it) and at most `max` of the nodes hold. */
export interface MatchOf<Node> {
  readonly match: readonly Node[];
  readonly min?: number;
  readonly max?: number;
}

/**
 * A test of the values at a path. The test holds when some value satisfies it. The test is false where there is no
 * value, unless it asks for that. `min` and `max` limit how many different operands, or for `any` how many elements,
 * must be met; without them one is enough.
 */
export type Leaf = {
  // Names with dots between them, such as `article.keywords`. Lists on the way are flattened.
  readonly p: string;
  readonly min?: number;
  readonly max?: number;
  // The operands are 53-bit hashes of texts, with the seed of the bundle.
  readonly hashed?: boolean;
  // For hashed operands: the longest run of words or path segments that one of them stands for.
  readonly grams?: number;
  // How text is brought into one form before it is compared; `case` without it.
  readonly fold?: Fold;
} & Op;

/** The test of a leaf: exactly one of these. `valueTests.ts` says when each of them holds. */
type Op =
  | OneOf<typeof wholeTests>
  | OneOf<typeof partTests>
  | OneOf<typeof insideTests>
  | OneOf<typeof numberTests>
  | DateTest
  | OneOf<typeof presenceTests>
  | OneOf<typeof flagTests>
  // The number of values, 0 where there are none.
  | { readonly size: Cmp }
  // Tests of the objects of a list, each on its own: some, all (of at least one), or none.
  | { readonly any: Pred }
  | { readonly all: Pred }
  | { readonly none: Pred };

/** The condition of a cohort. */
export type Expr =
  | { readonly const: boolean }
  | { readonly and: readonly Expr[] }
  | { readonly or: readonly Expr[] }
  | { readonly not: Expr }
  | MatchOf<Expr>
  // The subquery of this number in the definition, counted from one.
  | { readonly sub: number }
  // The visitor is in the cohort at this moment.
  | { readonly cohort: Id }
  // How often the visitor has entered or left a cohort.
  | ({ readonly entered: Id } & CountTest)
  | ({ readonly exited: Id } & CountTest)
  // Counts events; with `sum`, adds up the positive numbers at a path; with `distinct`, counts the different values at
  // a path. The server counts the events of a `remote` node.
  | ({
      readonly event: string | readonly string[];
      readonly where?: Pred;
      readonly sum?: string;
      readonly distinct?: string;
      readonly remote?: true;
    } & CountTest)
  // How often events happened in this order on one device, within `span` from the first to the last.
  | ({ readonly sequence: readonly Step[]; readonly span?: Duration } & CountTest)
  // The latest event, or the earliest, satisfies a predicate.
  | { readonly last: Step; readonly is: Pred; readonly within?: Duration }
  | { readonly first: Step; readonly is: Pred; readonly within?: Duration }
  // Data that the host provides satisfies a predicate.
  | { readonly lookup: RecordName; readonly where: Pred }
  // A provider of data has put the visitor into enough of some segments.
  | { readonly thirdParty: ProviderTest }
  | { readonly secondParty: ProviderTest }
  | { readonly lookalike: ModelTest };

/**
 * What counting nodes have in common: a comparison of the count, "at least once" without one; a window; and into how
 * many buckets it is cut, 100 without a number. A session or a view can be the window of counted or summed events only.
 */
interface CountTest {
  readonly is?: Cmp;
  readonly within?: Window;
  readonly buckets?: number;
}

/** Events of one or several names that satisfy a predicate. */
export interface Step {
  readonly event: string | readonly string[];
  readonly where?: Pred;
}

/**
 * Whether a provider has at least `min` (1 without it) of the listed segment ids for the visitor. Hashed ids are 53-bit
 * hashes with the seed of the bundle.
 */
export interface ProviderTest {
  readonly provider: string;
  readonly in: readonly Scalar[];
  readonly min?: number;
  readonly hashed?: boolean;
}

/**
 * Whether the visitor's score in a lookalike model reaches a threshold. Without `data`, the model over the publisher's
 * own cohorts (`1p`) is taken where there is one, else the one over third-party segments (`3p`).
 */
export interface ModelTest {
  readonly model: string;
  /** From 0 to 1. */
  readonly gte: number;
  readonly data?: '1p' | '3p';
}

/** One cohort as the publisher defines it. */
export interface Definition {
  readonly id: Id;
  /** The condition for being in the cohort. */
  readonly q: Expr;
  /** Conditions that `q` refers to by `{sub: n}`, counted from one. */
  readonly sub?: readonly Expr[];
  /** Names the meaning of `q` and `sub`. An absent checksum is computed. */
  readonly checksum?: string;
  /** The platforms that are told of the cohort, and when. */
  readonly activations?: Readonly<Record<string, { readonly trigger: 'EveryTime' | 'OnEntry' | 'OnExit' }>>;
  readonly name?: string;
  readonly tags?: readonly string[];
  /** Promises that `q` and `sub` are in canonical form, which saves rewriting them. */
  readonly canonical?: true;
}

/** All cohorts of a publisher. Definitions are decoded one by one, so that a broken one costs itself only. */
export interface Bundle {
  readonly v: 1;
  /** Id of the bundle, by which cloud lift knows it. */
  readonly id: string;
  /** Seed of the hashed operands. */
  readonly seed: number;
  readonly queries: readonly Definition[];
  /** Names of the events that the server counts for cloud-lifted queries. */
  readonly lift?: { readonly events: readonly string[] };
}
