import { bottom, type CellSpec, type Component } from '../cells/cell';
import type { CanonicalQuery, ModelTest } from '../language/canonicalLanguage';
import type { Id, LookupName } from '../language/language';

/** What a query has to be evaluated for, beside the events that feed its cells. */
export interface Uses {
  readonly cohorts: ReadonlySet<Id>;
  readonly lookups: ReadonlySet<LookupName>;
  readonly models: readonly ModelTest[];
  readonly events: ReadonlySet<string>;
}

/** The state of a query: the components of this source, and of the others by cell. */
export interface Cells {
  own: readonly Component[];
  others: readonly (readonly Component[])[];
}

/** A compiled query and how it stands on this page. */
export interface Query {
  readonly id: Id;
  /** Its place among the queries of the page. */
  number: number;
  readonly checksum: string;
  readonly meaning: CanonicalQuery;
  readonly platforms: readonly string[];
  readonly specs: readonly CellSpec[];
  readonly uses: Uses;
  /** More events can make the condition true, but not false. */
  readonly isRising: boolean;
  readonly cells: Cells;
  /** Evaluates the condition on the cells, memberships and lookups as they are. */
  readonly holds: () => boolean;
  result: boolean;
  /** The platforms for which the cohort is activated. */
  activations: readonly string[];
  /** Evaluation threw: the query is off for this page, its state and result are kept. */
  failed: boolean;
  /** A lookup is pending; the stored result stands. */
  waiting: boolean;
  /** The state is being rebuilt from past events, or that of a query it depends on is. */
  rebuilding: boolean;
  /** To be evaluated. */
  isDirty: boolean;
  /** Cells have changed since the server last confirmed them. */
  isUnsynced: boolean;
  /** The turn that last noted a change. */
  changedIn: number;
}

/** Whether the query is evaluated at present. */
export const isActive = ({ failed, waiting, rebuilding }: Query): boolean => !failed && !waiting && !rebuilding;

/** Whether nothing has been counted. */
export const isBottom = (components: readonly Component[]): boolean =>
  components.every((component) => component.length === 0);

export const bottomCells = (specs: readonly CellSpec[]): readonly Component[] => specs.map(() => bottom);

/** Replaces one component. */
export const withCell = (
  components: readonly Component[],
  cell: number,
  component: Component,
): readonly Component[] => {
  if (components.length === 1) return [component];
  const next = components.slice();
  next[cell] = component;
  return next;
};

/** Numeric ids by value, then the others by name. */
export const compareIds = (a: Id, b: Id): number => {
  const x = numberOf(a);
  const y = numberOf(b);
  if (x !== null && y !== null && x !== y) return x - y;
  if ((x === null) !== (y === null)) return x === null ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
};

const numberOf = (id: Id): number | null => (/^\d+$/.test(id) ? Number(id) : null);
