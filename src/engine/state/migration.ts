import { sumOf } from '../../primitives/lists';
import { cut } from '../cells/buckets';
import { bottom, type CellSpec, type Component } from '../cells/cell';
import { decodeCells } from '../cells/cellCodec';
import { lifetimeCell } from '../cells/lifetime';
import { windowedCell } from '../cells/windowed';
import type { Query } from '../evaluate/query';

/**
 * Reads the cells of a query as a chunk of some version holds them; null when they are malformed, or when the
 * old version counted in a way that cannot be carried over. Only windows and life-time counts are that old.
 */
export const readCells = (query: Query, cells: unknown, version: 0 | 1 | 2): readonly Component[] | null => {
  if (version === 2) return decodeCells(query.specs, cells);
  // Old versions counted a view by its engagement and by its completion as well (spec S§4).
  const { events } = query.uses;
  if (events.has('PageviewEngagement') && events.has('PageviewComplete')) return null;
  if (typeof cells !== 'object' || cells === null) return null;
  const components: Component[] = [];
  let i = 0;
  for (const spec of query.specs) {
    const cell = (cells as Readonly<Record<string, unknown>>)[i];
    i += 1;
    const component = cell === undefined || cell === 0 ? bottom : oldCell(spec, cell, version);
    if (component === null) return null;
    components.push(component);
  }
  return components;
};

/** Reads one cell of an old version; null when it is malformed or of a kind that old versions did not have. */
const oldCell = (spec: CellSpec, cell: unknown, version: 0 | 1): Component | null => {
  if (spec.kind === lifetimeCell) return oldTotal(spec, cell);
  return spec.kind === windowedCell ? oldBuckets(spec, cell, version) : null;
};

/** A life-time count was a number, or buckets that are added up. */
const oldTotal = ({ cap }: CellSpec, cell: unknown): Component | null => {
  const weights = typeof cell === 'number' ? [cell] : pairsOf(cell)?.map(([, weight]) => weight);
  const total = weights ? sumOf(weights, (weight) => weight) : NaN;
  return Number.isSafeInteger(total) && total >= 0 ? (total === 0 ? bottom : [Math.min(cap, total)]) : null;
};

/**
 * Buckets in any order, in pairs or as a table. Version 0 named them by the time in ms at which they begin, version 1
 * by their index. The weights of equal buckets are added up.
 */
const oldBuckets = ({ width, cap }: CellSpec, cell: unknown, version: 0 | 1): Component | null => {
  const pairs = pairsOf(cell);
  if (pairs === null) return null;
  const weights = new Map<number, number>();
  for (const [start, weight] of pairs) {
    const bucket = version === 0 ? Math.floor(start / width) : start;
    if (!Number.isSafeInteger(bucket) || !Number.isSafeInteger(weight) || weight < 0) return null;
    if (weight > 0) weights.set(bucket, (weights.get(bucket) ?? 0) + weight);
  }
  return cut([...weights].sort(([a], [b]) => b - a).flat(), cap);
};

/** Pairs of a list or a table; null when any of them is not two numbers. */
const pairsOf = (cell: unknown): readonly (readonly [number, number])[] | null => {
  if (typeof cell !== 'object' || cell === null) return null;
  const pairs: readonly unknown[] = Array.isArray(cell)
    ? cell
    : Object.entries(cell).map(([start, weight]: readonly [string, unknown]) => [Number(start), weight]);
  return pairs.every(isPair) ? pairs : null;
};

const isPair = (pair: unknown): pair is readonly [number, number] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'number');
