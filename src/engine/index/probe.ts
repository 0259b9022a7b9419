import type { CellSpec } from '../cells/cell';
import { sumUnit } from '../cells/cellSpec';
import type { EngineEvent } from '../engineEvent';
import type { Query } from '../evaluate/query';
import type { CanonicalPred, CanonicalStep, CellExpr, EventExpr } from '../language/canonicalLanguage';
import { h32, h53 } from '../language/murmur';
import { scalarText } from '../language/text';
import { pathReader } from './paths';
import { compilePred } from './predicate';

/** What one kind of event brings to one cell of a query. A node has one probe, a sequence one for each step. */
export interface Probe {
  /** The query whose cell it is. */
  readonly query: Query;
  /** The number of the cell in the query. */
  readonly cell: number;
  /** The same as `query.specs[cell]`, at hand without reading the query. */
  readonly spec: CellSpec;
  /**
   * The amounts that a matching event contributes, in the meaning of the cell's kind. Empty where the event does not
   * count after all, because it has nothing to sum or no value to tell apart.
   */
  readonly measure: (event: EngineEvent) => readonly number[];
  /** Set when only events of the current session or view count. */
  readonly scope: CellSpec['scope'];
  /** The place of the probe among the probes of the page. Set when its query is added. */
  number: number;
  /**
   * The steps of a sequence that the current event has matched so far, as bits; shared by the probes of its steps. Null
   * for other nodes.
   */
  readonly steps: { matched: number } | null;
}

/** Where a probe waits: for events of some names, or for a transition of a cohort. */
export type Wait =
  | { readonly events: readonly string[]; readonly where: CanonicalPred | undefined }
  | { readonly events: null; readonly cohort: string; readonly entry: boolean };

/** The probes of a query node, each with what it waits for. None for a remote node, whose events the server counts. */
export const probesOf = (node: CellExpr, cell: ProbedCell, seed: number): readonly (readonly [Wait, Probe])[] => {
  if ('entered' in node) return [[{ events: null, cohort: node.entered, entry: true }, newProbe(cell, countOnce)]];
  if ('exited' in node) return [[{ events: null, cohort: node.exited, entry: false }, newProbe(cell, countOnce)]];
  if ('sequence' in node) {
    const steps = { matched: 0 };
    return node.sequence.map((step, i) => [waitFor(step), newProbe(cell, () => [1 << i], steps)]);
  }
  if ('last' in node || 'first' in node) {
    const passes = compilePred(node.is, seed);
    const measure: Probe['measure'] = (event) => [passes({ root: event.properties, event }) ? 1 : 0];
    return [[waitFor('last' in node ? node.last : node.first), newProbe(cell, measure)]];
  }
  return node.remote === true ? [] : [[waitFor(node), newProbe(cell, measureOf(node, cell.spec))]];
};

/** The cell that a probe feeds. */
export type ProbedCell = Pick<Probe, 'query' | 'cell' | 'spec'>;

const newProbe = (cell: ProbedCell, measure: Probe['measure'], steps: Probe['steps'] = null): Probe => {
  const { query, spec } = cell;
  return { number: 0, steps, scope: spec.scope, measure, query, cell: cell.cell, spec };
};

const waitFor = ({ event, where }: CanonicalStep): Wait => ({ events: event, where });

const one: readonly number[] = [1];
const noAmounts: readonly number[] = [];
/** A matching event counts as one. */
const countOnce = (): readonly number[] => one;

/** How a matching event is counted: by a sum, by its different values, or as one. */
const measureOf = (node: EventExpr, { cap }: CellSpec): Probe['measure'] => {
  const { sum, distinct } = node;
  if (sum !== undefined) return sumOf(sum);
  return distinct === undefined ? countOnce : hashesOf(distinct, cap);
};

/** The sum of the positive finite numbers at a path, in thousandths. An event with nothing to add does not count. */
const sumOf = (path: string): Probe['measure'] => {
  const read = pathReader(path);
  return (event) => {
    let sum = 0;
    for (const value of read({ root: event.properties, event }))
      if (typeof value === 'number' && Number.isFinite(value) && value > 0) sum += value;
    const amount = Math.round(sum * sumUnit);
    return amount > 0 ? [amount] : noAmounts;
  };
};

/**
 * Up to this threshold, 32 bits tell different values apart well enough. Beyond that number of values, collisions would
 * be noticed.
 */
const shortHashLimit = 1000;

/**
 * The hashes of the values at a path. Booleans count as their names. The hashes do not depend on the seed of the
 * bundle.
 */
const hashesOf = (path: string, cap: number): Probe['measure'] => {
  const read = pathReader(path);
  const hash = cap > shortHashLimit ? h53 : h32;
  return (event) => {
    const hashes: number[] = [];
    for (const value of read({ root: event.properties, event })) {
      const text = typeof value === 'boolean' ? String(value) : scalarText(value);
      if (text !== null) hashes.push(hash(text, 0));
    }
    return hashes;
  };
};
