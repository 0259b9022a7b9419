/**
 * What one browser has contributed to one cell: a flat list of integers, never changed in place. Bottom, the
 * state before any event, is the empty list.
 */
export type Component = readonly number[];

export const bottom: Component = [];

export const sameComponent = (a: Component, b: Component): boolean =>
  a === b || (a.length === b.length && a.every((value, i) => value === b[i]));

/** A session or a view: its id, when it began, and the hash of its id. */
export interface Scope {
  readonly id: string;
  readonly startedAt: number;
  readonly hash: number;
}

/** What time and context an evaluation takes place in. */
export interface CellMoment {
  readonly now: number;
  readonly session: Scope | null;
  readonly view: Scope | null;
}

/** What a query node asks its cell: fixed when the query is compiled. */
export interface CellSpec {
  readonly kind: CellKind;
  /** The node holds from `low` to `high`, both inclusive. */
  readonly low: number;
  readonly high: number;
  /** The smallest value that decides the comparison; nothing is counted beyond it. */
  readonly cap: number;
  /** Width of a time bucket in ms, 0 for life time; and how many of them make the window. */
  readonly width: number;
  readonly buckets: number;
  /** Several sources see the same occurrences, so the largest count is taken in place of the sum. */
  readonly largest: boolean;
  readonly options: CellOptions;
}

export interface CellOptions {
  /** Session or view cells. */
  readonly scope?: 'session' | 'view';
  /** Latest or earliest event. */
  readonly edge?: 'last' | 'first';
  /** Exact window of an edge. */
  readonly windowMs?: number;
  /** Number of steps of a sequence, and how far apart the first and the last may be. */
  readonly steps?: number;
  readonly spanMs?: number;
}

/** What an event brings to a cell: a weight, a hash, a truth bit or a set of matched steps, according to the kind. */
export interface CellInput {
  readonly time: number;
  amount: number;
}

/**
 * The algebra of one kind of cell. `join` unites copies of what one source wrote and may be repeated in any
 * order; `append` adds later events of the same source and may not.
 */
export interface CellKind {
  /** Whether no event makes the value smaller. */
  readonly onlyRises: boolean;
  /** Takes in one event; answers the same list when nothing changes, so that nothing is evaluated, saved or sent. */
  readonly feed: (spec: CellSpec, own: Component, input: CellInput, moment: CellMoment) => Component;
  /** Events before this instant change nothing any more. */
  readonly fullUntil: (spec: CellSpec, own: Component) => number;
  readonly join: (spec: CellSpec, a: Component, b: Component) => Component;
  readonly append: (spec: CellSpec, earlier: Component, later: Component) => Component;
  /** What was added to `loaded` to make `own`: `append` puts it back. */
  readonly minus: (spec: CellSpec, own: Component, loaded: Component) => Component;
  /** The least that joined to `previous` makes `current`. */
  readonly delta: (spec: CellSpec, previous: Component, current: Component) => Component;
  /** Drops what can no longer count at `now` or later. */
  readonly compact: (spec: CellSpec, own: Component, now: number) => Component;
  /** Drops what a device with a wrong clock dated after `limit`. */
  readonly notAfter: (spec: CellSpec, other: Component, limit: number) => Component;
  /** The number that is compared, limited to the cap; `others` are the components of other sources. */
  readonly value: (spec: CellSpec, own: Component, others: readonly Component[], moment: CellMoment) => number;
  /** The first instant after now at which time alone changes the comparison, or Infinity. */
  readonly flipAt: (spec: CellSpec, own: Component, others: readonly Component[], moment: CellMoment) => number;
  readonly encode: (spec: CellSpec, own: Component) => unknown;
  /** Reads what `encode` wrote; null when it cannot be right. Bottom (`0`) is read by the caller. */
  readonly decode: (spec: CellSpec, wire: unknown) => Component | null;
}

/** Whether the node holds at this value. */
export const decides = ({ low, high }: CellSpec, value: number): boolean => value >= low && value <= high;
