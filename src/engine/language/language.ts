import type { Fold } from './text';

// The query language as it is written. `canonical.ts` has the one form of it that is compiled and hashed.

export type Id = string;
export type Scalar = string | number;
export type Duration =
  | number
  | { readonly seconds: number }
  | { readonly minutes: number }
  | { readonly hours: number }
  | { readonly days: number }
  | { readonly weeks: number };
/** Absent means life time. */
export type Window = Duration | 'session' | 'view';
export type Cmp = NumberTest | { readonly eq: number };
export type NumberTest =
  | { readonly gte: number }
  | { readonly gt: number }
  | { readonly lte: number }
  | { readonly lt: number }
  | { readonly between: readonly [number, number] };
export type LookupName = 'geo' | 'client' | 'user' | 'classification' | 'thirdParty' | 'secondParty' | 'lookalike';

/** A test of one event, of a lookup's value, or of an element of a list. */
export type Pred =
  { readonly and: readonly Pred[] } | { readonly or: readonly Pred[] } | { readonly not: Pred } | MatchOf<Pred> | Leaf;

export interface MatchOf<Node> {
  readonly match: readonly Node[];
  readonly min?: number;
  readonly max?: number;
}

export type Leaf = {
  readonly p: string;
  readonly min?: number;
  readonly max?: number;
  readonly hashed?: boolean;
  readonly grams?: number;
  readonly fold?: Fold;
} & Op;

type Op =
  | { readonly in: readonly Scalar[] }
  | { readonly nin: readonly Scalar[] }
  | { readonly eq: Scalar }
  | { readonly neq: Scalar }
  | { readonly contains: readonly string[] }
  | { readonly startsWith: readonly string[] }
  | { readonly endsWith: readonly string[] }
  | { readonly words: readonly Scalar[] }
  | { readonly under: readonly Scalar[] }
  | { readonly urlPath: readonly Scalar[] }
  | { readonly domain: readonly Scalar[] }
  | NumberTest
  | { readonly after?: string; readonly before?: string }
  | { readonly exists: boolean }
  | { readonly is: boolean }
  | { readonly size: Cmp }
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
  | { readonly sub: number }
  | { readonly cohort: Id }
  | ({ readonly entered: Id } & Counted)
  | ({ readonly exited: Id } & Counted)
  | ({
      readonly event: string | readonly string[];
      readonly where?: Pred;
      readonly sum?: string;
      readonly distinct?: string;
      readonly remote?: true;
    } & Counted)
  | ({ readonly sequence: readonly Step[]; readonly span?: Duration } & Counted)
  | { readonly last: Step; readonly is: Pred; readonly within?: Duration }
  | { readonly first: Step; readonly is: Pred; readonly within?: Duration }
  | { readonly lookup: 'geo' | 'client' | 'user' | 'classification'; readonly where: Pred }
  | { readonly thirdParty: ProviderTest }
  | { readonly secondParty: ProviderTest }
  | { readonly lookalike: { readonly model: string; readonly gte: number; readonly data?: '1p' | '3p' } };

interface Counted {
  readonly is?: Cmp;
  readonly within?: Window;
  readonly buckets?: number;
}

export interface Step {
  readonly event: string | readonly string[];
  readonly where?: Pred;
}

export interface ProviderTest {
  readonly provider: string;
  readonly in: readonly Scalar[];
  readonly min?: number;
  readonly hashed?: boolean;
}

/** One cohort. `canonical` promises that `q` and `sub` are in canonical form already. */
export interface Definition {
  readonly id: Id;
  readonly q: Expr;
  readonly sub?: readonly Expr[];
  readonly checksum?: string;
  readonly activations?: Readonly<Record<string, { readonly trigger: 'EveryTime' | 'OnEntry' | 'OnExit' }>>;
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly canonical?: true;
}

/** All cohorts of a publisher. Definitions are decoded one by one, so that a broken one costs itself only. */
export interface Bundle {
  readonly v: 1;
  readonly id: string;
  readonly seed: number;
  readonly queries: readonly Definition[];
  readonly lift?: { readonly events: readonly string[] };
}
