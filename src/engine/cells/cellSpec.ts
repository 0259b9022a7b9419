import type { CellExpr } from '../language/canonicalLanguage';
import type { Cmp } from '../language/language';
import type { CellKind, CellSpec } from './cell';
import { distinctCell } from './distinct';
import { edgeCell } from './edge';
import { lifetimeCell } from './lifetime';
import { scopedCell } from './scoped';
import { sequenceCell } from './sequence';
import { windowedCell } from './windowed';

/** Sums are kept in thousandths: as integers they are exact and do not depend on the order of events. */
export const sumUnit = 1000;

/**
 * The cell that a query node keeps. The kind follows from the node and its window: a latest or earliest event, a
 * session or a view, a sequence, distinct values, else a count or sum over a window or over life time.
 */
export const cellSpecOf = (node: CellExpr): CellSpec => sharedSpec(newSpec(node));

/** The same object for the same spec: thousands of queries ask the same of their cells. */
const sharedSpec = (spec: CellSpec): CellSpec => {
  const { kind, ...numbers } = spec;
  const ofKind = sharedSpecs.get(kind) ?? new Map<string, CellSpec>();
  sharedSpecs.set(kind, ofKind);
  const key = Object.values(numbers).join();
  const first = ofKind.get(key) ?? spec;
  ofKind.set(key, first);
  return first;
};
const sharedSpecs = new Map<CellKind, Map<string, CellSpec>>();

const newSpec = (node: CellExpr): CellSpec => {
  if ('last' in node) return edgeSpec('last', node.within);
  if ('first' in node) return edgeSpec('first', node.within);
  const range = rangeOf(node.is, 'sum' in node ? sumUnit : 1);
  // Each device sees the same entries and exits of a cohort, so counts of several devices are not added up.
  const largest = 'entered' in node || 'exited' in node;
  const { within, buckets: wanted = 1 } = node;
  if (typeof within === 'string') return { ...spec(scopedCell, range), scope: within, largest };
  // A window of fewer milliseconds than buckets has one bucket for each millisecond.
  const buckets = Math.min(wanted, within ?? 1);
  const time = within === undefined ? {} : { width: Math.floor(within / buckets), buckets };
  if ('sequence' in node)
    return { ...spec(sequenceCell, range), steps: node.sequence.length, spanMs: node.span ?? Infinity, ...time };
  if ('distinct' in node) return { ...spec(distinctCell, range), ...time };
  return within === undefined
    ? { ...spec(lifetimeCell, range), largest }
    : { ...spec(windowedCell, range), largest, ...time };
};

/**
 * The integers that satisfy a comparison, as an interval; an empty one is never satisfied. `unit` says how many units
 * of the cell one unit of the comparison is: 1000 for sums.
 */
export const rangeOf = (is: Cmp, unit = 1): Pick<CellSpec, 'low' | 'high'> => {
  // Rounded, because a bound such as 1.005 times 1000 is not an exact integer in floating point.
  const scaled = (bound: number): number => (unit === 1 ? bound : Math.round(bound * unit));
  if ('gte' in is) return { low: Math.ceil(scaled(is.gte)), high: Infinity };
  if ('gt' in is) return { low: Math.floor(scaled(is.gt)) + 1, high: Infinity };
  if ('lte' in is) return { low: -Infinity, high: Math.floor(scaled(is.lte)) };
  if ('lt' in is) return { low: -Infinity, high: Math.ceil(scaled(is.lt)) - 1 };
  if ('eq' in is) return { low: Math.ceil(scaled(is.eq)), high: Math.floor(scaled(is.eq)) };
  return { low: Math.ceil(scaled(is.between[0])), high: Math.floor(scaled(is.between[1])) };
};

/** The cell of a latest or earliest event. The value of the cell is 1 when the event passed its test, else 0. */
const edgeSpec = (edge: 'last' | 'first', windowMs = Infinity): CellSpec => ({
  ...spec(edgeCell, { low: 1, high: Infinity }),
  edge,
  windowMs,
});

/**
 * A life-time cell: one bucket that never ends. The cap is the smallest value that decides the comparison, and at least
 * 1: `low` where there is no upper bound, else one more than `high`, so that a value above `high` can be told apart.
 */
const spec = (kind: CellKind, { low, high }: Pick<CellSpec, 'low' | 'high'>): CellSpec => ({
  kind,
  low,
  high,
  cap: Math.max(1, high === Infinity ? low : high + 1),
  width: 0,
  buckets: 1,
  largest: false,
  scope: null,
  edge: null,
  windowMs: Infinity,
  steps: 1,
  spanMs: Infinity,
});
