import type { CellOptions, CellSpec } from '../cells/cell';
import { sumUnit } from '../cells/cellSpec';
import type { EngineEvent } from '../engineEvent';
import type { Query } from '../evaluate/query';
import type { CanonicalPred, CanonicalStep, CellExpr, EventExpr } from '../language/canonicalLanguage';
import { h32, h53 } from '../language/murmur';
import { scalarText } from '../language/text';
import { readerOf } from './paths';
import { compilePred } from './predicate';

/** What one kind of event brings to one cell of a query. */
export interface Probe {
  readonly query: Query;
  readonly cell: number;
  readonly spec: CellSpec;
  /** The amounts that a matching event contributes; none if it does not count after all. */
  readonly measure: (event: EngineEvent) => readonly number[];
  readonly scope: CellOptions['scope'];
  /** Events before this instant find the cell full, as long as cells only grow: in the time of this number. */
  fullUntil: number;
  fullIn: number;
  /** The steps of a sequence that the current event has matched so far; shared by the probes of its steps. */
  readonly steps: { matched: number } | null;
}

/** Where a probe waits: for events of some names, or for a transition of a cohort. */
export type Wait =
  | { readonly events: readonly string[]; readonly where: CanonicalPred | undefined }
  | { readonly cohort: string; readonly entry: boolean };

/** The probes of a query node. */
export const probesOf = (node: CellExpr, cell: ProbedCell, seed: number): readonly (readonly [Wait, Probe])[] => {
  if ('entered' in node) return [[{ cohort: node.entered, entry: true }, probe(cell, countOnce)]];
  if ('exited' in node) return [[{ cohort: node.exited, entry: false }, probe(cell, countOnce)]];
  if ('sequence' in node) {
    const steps = { matched: 0 };
    return node.sequence.map((step, i) => [waitFor(step), probe(cell, () => [1 << i], steps)]);
  }
  if ('last' in node || 'first' in node) {
    const passes = compilePred(node.is, seed);
    const measure: Probe['measure'] = (event) => [passes({ root: event.properties, event }) ? 1 : 0];
    return [[waitFor('last' in node ? node.last : node.first), probe(cell, measure)]];
  }
  // The events of a remote node are counted by the server.
  return node.remote === true ? [] : [[waitFor(node), probe(cell, measureOf(node, cell.spec))]];
};

type ProbedCell = Pick<Probe, 'query' | 'cell' | 'spec'>;

const probe = ({ query, cell, spec }: ProbedCell, measure: Probe['measure'], steps: Probe['steps'] = null): Probe => ({
  fullUntil: -Infinity,
  fullIn: 0,
  steps,
  scope: spec.options.scope,
  measure,
  query,
  cell,
  spec,
});

const waitFor = ({ event, where }: CanonicalStep): Wait => ({ events: event, where });

const one: readonly number[] = [1];
const noAmounts: readonly number[] = [];
const countOnce = (): readonly number[] => one;

const measureOf = (node: EventExpr, { cap }: CellSpec): Probe['measure'] => {
  if ('sum' in node) return sumOf(node.sum);
  return 'distinct' in node ? hashesOf(node.distinct, cap) : countOnce;
};

/** The positive numbers at a path, in thousandths. */
const sumOf = (path: string): Probe['measure'] => {
  const read = readerOf(path);
  return (event) => {
    let sum = 0;
    for (const value of read({ root: event.properties, event }))
      if (typeof value === 'number' && Number.isFinite(value) && value > 0) sum += value;
    const amount = Math.round(sum * sumUnit);
    return amount > 0 ? [amount] : noAmounts;
  };
};

// Beyond a thousand values collisions of short hashes would be noticed.
const shortHashLimit = 1000;

const hashesOf = (path: string, cap: number): Probe['measure'] => {
  const read = readerOf(path);
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
