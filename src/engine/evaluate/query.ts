import { bottom, type CellSpec, type Component } from '../cells/cell';
import type { CanonicalQuery } from '../language/canonicalLanguage';
import type { Id, LookupName, ModelTest } from '../language/language';

/** What makes the evaluation of a query necessary, beside its cells. */
export interface Uses {
  /** Cohorts that its conditions ask for. */
  readonly cohorts: ReadonlySet<Id>;
  /** Lookups that its conditions read; `lookalike` where it compares scores. */
  readonly lookups: ReadonlySet<LookupName>;
  /** Tests of scores, each with its model. */
  readonly models: readonly ModelTest[];
  /** Names of the events that change its cells, transitions included. */
  readonly events: ReadonlySet<string>;
}

/**
 * The state of a query. Lists and components are replaced and never changed, so that a list stands for the state of a
 * moment.
 */
export interface Cells {
  /** The component of this source for each cell, in the order of `specs`. */
  own: readonly Component[];
  /** For each cell the components of other sources, without those that are bottom. */
  others: readonly (readonly Component[])[];
}

/** What a confirmation needs of a query. */
export interface SentQuery {
  readonly cells: { readonly own: readonly Component[] };
  /** Whether the query has counted something that no server has confirmed. */
  isUnsynced: boolean;
}

/** A compiled query and how it stands on this page. */
export interface Query {
  /** Id of the query, which is the id of its cohort. */
  readonly id: Id;
  /** The place of the query among the queries of the page. Set when it is added. */
  number: number;
  /** Names its meaning. Stored and received state under another checksum is not its own. */
  readonly checksum: string;
  /** The nodes that it was compiled from. */
  readonly meaning: CanonicalQuery;
  /** The platforms of its activations, whether they apply or not. */
  readonly platforms: readonly string[];
  /** One for each cell, in the order of `cellOrder`. */
  readonly specs: readonly CellSpec[];
  /** The reasons for which the query may have to be evaluated. */
  readonly uses: Uses;
  /**
   * More events can make the condition true, but not false. Such a query need not be evaluated for an event while it
   * holds.
   */
  readonly isRising: boolean;
  /** The state of the query. The object stays the same; its lists are replaced. */
  readonly cells: Cells;
  /**
   * Evaluates the condition on the cells, memberships and lookups as they are. Throws when the value of a lookup is
   * missing.
   */
  readonly holds: () => boolean;
  /** Whether the visitor is in the cohort, as last evaluated or restored. */
  result: boolean;
  /** The platforms for which the cohort is activated at present; empty while it does not hold. */
  activations: readonly string[];
  /** Evaluation threw: the query is off for this page, its state and result are kept. */
  failed: boolean;
  /** A lookup that it reads is pending: it goes on counting, and the stored result stands. */
  waiting: boolean;
  /** The state is being rebuilt from past events, or that of a query it depends on is. */
  rebuilding: boolean;
  /** The query is in the list of queries to be evaluated. */
  isDirty: boolean;
  /** Cells have changed since the server last confirmed them, or were never confirmed. */
  isUnsynced: boolean;
  /** Number of the last turn that reported a change, so that each turn reports it once. */
  changedIn: number;
}

/** Whether the query is evaluated at present. While it is not, its result stands. */
export const isActive = ({ failed, waiting, rebuilding }: Query): boolean => !failed && !waiting && !rebuilding;

/** Whether no event has been counted in any of the components. */
export const isBottom = (components: readonly Component[]): boolean =>
  components.every((component) => component.length === 0);

/** Components that have counted nothing, one for each cell. */
export const bottomCells = (specs: readonly CellSpec[]): readonly Component[] =>
  specs.length === 1 ? oneBottom : specs.map(() => bottom);

/** Shared by all queries with a single cell. */
const oneBottom: readonly Component[] = [bottom];

/** Changes the component of each cell; answers the same list where all stay the same. */
export const eachCell = (
  { specs }: Pick<Query, 'specs'>,
  components: readonly Component[],
  change: (spec: CellSpec, component: Component) => Component,
): readonly Component[] => {
  const next = specs.map((spec, i) => change(spec, components[i] ?? bottom));
  return next.every((component, i) => component === components[i]) ? components : next;
};

/** The components with nothing that is dated after `limit` (`CellKind.notAfter`). */
export const notAfter = (
  query: Query,
  components: readonly Component[],
  limit: number,
  moves: boolean,
): readonly Component[] =>
  eachCell(query, components, (spec, component) => spec.kind.notAfter(spec, component, limit, moves));

/** The components with one of them replaced, in a new list. */
export const withCell = (
  components: readonly Component[],
  cell: number,
  component: Component,
): readonly Component[] => {
  // With a single cell there is nothing to copy.
  if (components.length === 1) return [component];
  const next = components.slice();
  next[cell] = component;
  return next;
};

/** The order of ids everywhere: numeric ids first and by value, then the others by their characters. */
export const compareIds = (a: Id, b: Id): number => {
  const x = numberOf(a);
  const y = numberOf(b);
  if (x !== null && y !== null && x !== y) return x - y;
  if ((x === null) !== (y === null)) return x === null ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
};

const numberOf = (id: Id): number | null => (/^\d+$/.test(id) ? Number(id) : null);
