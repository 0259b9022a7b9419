/**
 * What one browser has contributed to one cell: a flat list of integers, never changed in place. Bottom, the
 * state before any event, is the empty list.
 */
export type Component = readonly number[];

/** The component before any event. All cells share this component, so it is never changed. */
export const bottom: Component = [];

/**
 * Whether two components have the same content. Compares identity first, because a component that an operation leaves
 * as it is stays the same list.
 */
export const sameComponent = (a: Component, b: Component): boolean =>
  a === b || (a.length === b.length && a.every((value, i) => value === b[i]));

/** A session or a view: its id, when it began, and the hash of its id. */
export interface Scope {
  /** Id of the session or the view, as events carry it. */
  readonly id: string;
  /** When it began, in ms since 1970. */
  readonly startedAt: number;
  /** 53-bit hash of the normalised id. The hash stands for the id in stored cells. */
  readonly hash: number;
}

/** What time and context an evaluation takes place in. */
export interface CellMoment {
  /** Present time in ms since 1970. */
  readonly now: number;
  /** The current session; null where the page has none. */
  readonly session: Scope | null;
  /** The current view; null where the page has none. */
  readonly view: Scope | null;
}

/** What a query node asks its cell: fixed when the query is compiled. */
export interface CellSpec {
  /** The operations on the cell's component. */
  readonly kind: CellKind;
  /**
   * The node holds from `low` to `high`, both inclusive, in the unit of the cell: thousandths for sums. -Infinity where
   * nothing is too little.
   */
  readonly low: number;
  /** Infinity where no value is too high. An interval that is empty, `low` above `high`, never holds. */
  readonly high: number;
  /** The smallest value that decides the comparison; nothing is counted beyond it. */
  readonly cap: number;
  /** Width of a time bucket in ms, 0 for life time. */
  readonly width: number;
  /** How many buckets make the window; 1 for life time. */
  readonly buckets: number;
  /**
   * Several sources see the same occurrences, so the largest count is taken in place of the sum. True for entries and
   * exits of cohorts.
   */
  readonly largest: boolean;
  /** Whether the cell counts in the current session, or in the current view; null where in neither. */
  readonly scope: 'session' | 'view' | null;
  /** Whether the cell keeps the latest event, or the earliest; null where it keeps neither. */
  readonly edge: 'last' | 'first' | null;
  /** Window of an edge in ms, exact and not cut into buckets. Infinity for life time. */
  readonly windowMs: number;
  /** Number of steps of a sequence, from 2 to 8; 1 where the cell is of no sequence. */
  readonly steps: number;
  /** Longest time in ms from the first to the last event of a sequence. Infinity where there is no limit. */
  readonly spanMs: number;
}

/** What one event brings to a cell. */
export interface CellInput {
  /** Time of the event in ms since 1970. */
  readonly time: number;
  /**
   * According to the kind of cell a weight, the hash of a value, a truth bit (0 or 1), or the set of matched steps (bit
   * j is step j + 1). The field can be changed, so that one object serves all amounts of an event.
   */
  amount: number;
}

/**
 * The operations on the components of one kind of cell. A component is never changed: each operation answers a new one,
 * or one of those it was given where nothing changes. `join` unites copies of what one source wrote; it is commutative,
 * associative and idempotent, so copies may come late, twice and in any order. `append` adds later events of the same
 * source; it is not idempotent. The laws are tested in test/engine/cellLaws.test.ts.
 */
export interface CellKind {
  /** Whether no event makes the value smaller. */
  readonly onlyRises: boolean;
  /** Takes in one event; answers the same list when nothing changes, so that nothing is evaluated, saved or sent. */
  readonly feed: (spec: CellSpec, own: Component, input: CellInput, moment: CellMoment) => Component;
  /** Events before this instant change nothing any more. -Infinity where each event has to be looked at. */
  readonly fullUntil: (spec: CellSpec, own: Component) => number;
  /** Unites two copies of what one source wrote. Bottom changes nothing. */
  readonly join: (spec: CellSpec, a: Component, b: Component) => Component;
  /** Adds what the same source counted in other events. */
  readonly append: (spec: CellSpec, earlier: Component, later: Component) => Component;
  /**
   * The least that joined to `previous` makes `current`; bottom when both are equal. The difference is sent to the
   * server.
   */
  readonly delta: (spec: CellSpec, previous: Component, current: Component) => Component;
  /** Drops what can no longer count at `now` or later. Changes no value from `now` on. */
  readonly compact: (spec: CellSpec, own: Component, now: number) => Component;
  /**
   * Nothing is dated after `limit` then, an instant in ms: what a wrong clock has dated later is set to it where it
   * `moves`, and dropped otherwise. What was moved once leaves its window like any event of that time.
   */
  readonly notAfter: (spec: CellSpec, component: Component, limit: number, moves: boolean) => Component;
  /** The number that is compared, limited to the cap; `others` are the components of other sources. */
  readonly value: (spec: CellSpec, own: Component, others: readonly Component[], moment: CellMoment) => number;
  /** The first instant after now at which time alone changes the comparison, or Infinity. */
  readonly flipAt: (spec: CellSpec, own: Component, others: readonly Component[], moment: CellMoment) => number;
  /** Writes a component that is not bottom as plain JSON data. */
  readonly encode: (spec: CellSpec, own: Component) => unknown;
  /** Reads what `encode` wrote; null when it cannot be right. Bottom (`0`) is read by the caller. */
  readonly decode: (spec: CellSpec, wire: unknown) => Component | null;
}

/** Whether the node holds at this value. */
export const decides = ({ low, high }: CellSpec, value: number): boolean => value >= low && value <= high;
