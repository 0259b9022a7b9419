import {
  bucketOf,
  bucketsNotAfter,
  compactBuckets,
  decodePairs,
  encodePairs,
  exitOf,
  keep,
  searchFlipAt,
} from './buckets';
import { type CellKind, type CellSpec, type Component, sameComponent } from './cell';

/**
 * Different values in a window. The component is pairs (newest bucket of the value, hash of the value): newest bucket
 * first, in a bucket by ascending hash, each hash once, at most as many pairs as the cap. The value is the number of
 * hashes in the window.
 */
export const distinctCell: CellKind = {
  onlyRises: true,
  feed: (spec, own, { time, amount }) => {
    const bucket = bucketOf(spec, time);
    // A value that is known with this bucket or a newer one changes nothing.
    for (let i = 0; i < own.length; i += 2) if (own[i + 1] === amount && (own[i] as number) >= bucket) return own;
    return addValue(spec, own, bucket, amount);
  },
  // A full list still changes: a value that occurs again moves to a newer bucket.
  fullUntil: () => -Infinity,
  join: (spec, a, b) => unite(spec, a, b),
  // A value counts once however many events have it, so appending is uniting.
  append: (spec, earlier, later) => unite(spec, earlier, later),
  // Appending what is known already changes nothing, so everything may be appended again.
  delta: (_spec, previous, current) => {
    if (previous === current) return [];
    const known = bucketByHash([previous]);
    // Values that are new, or that occurred in a newer bucket.
    return keep(current, (bucket, hash) => (known.get(hash) ?? -Infinity) < bucket);
  },
  compact: compactBuckets,
  notAfter: (spec, component, limit, moves) => bucketsNotAfter(spec, component, limit, moves, addValue),
  value: (spec, own, others, { now }) =>
    Math.min(spec.cap, countInWindow(spec, others.length === 0 ? own : united([own, ...others]), now)),
  flipAt: (spec, own, others, { now }) => {
    const all = others.length === 0 ? own : united([own, ...others]);
    // "At least" ends when the oldest value that is still needed leaves.
    if (spec.high === Infinity && spec.width > 0) {
      const needed = spec.low > 0 ? all[2 * spec.low - 2] : undefined;
      return needed !== undefined && bucketOf(spec, now) - needed < spec.buckets ? exitOf(spec, needed) : Infinity;
    }
    return searchFlipAt(spec, [all], now, (time) => Math.min(spec.cap, countInWindow(spec, all, time)));
  },
  encode: (_spec, own) => encodePairs(own),
  decode: (spec, wire) => {
    const list = decodePairs(
      wire,
      Math.max(1000, spec.cap),
      (gap, hash, previous) => gap > 0 || (gap === 0 && hash > previous),
    );
    if (list === null || list.some((hash, i) => i % 2 === 1 && hash < 0)) return null;
    return new Set(list.filter((_, i) => i % 2 === 1)).size * 2 === list.length ? list.slice(0, 2 * spec.cap) : null;
  },
};

/** The newest bucket of each value, over several lists. */
const bucketByHash = (lists: readonly Component[]): Map<number, number> => {
  const buckets = new Map<number, number>();
  for (const list of lists)
    for (let i = 0; i < list.length; i += 2) {
      const hash = list[i + 1] as number;
      buckets.set(hash, Math.max(buckets.get(hash) ?? -Infinity, list[i] as number));
    }
  return buckets;
};

/** The values of several lists in the order of a component: equal sets give equal lists. */
const united = (lists: readonly Component[]): Component =>
  [...bucketByHash(lists)].sort(([h1, b1], [h2, b2]) => b2 - b1 || h1 - h2).flatMap(([hash, bucket]) => [bucket, hash]);

const addValue = (spec: CellSpec, own: Component, bucket: number, hash: number): Component =>
  unite(spec, own, [bucket, hash]);

/** The newest entries, as many as decide; the first list itself when the second brings nothing new. */
const unite = ({ cap }: CellSpec, a: Component, b: Component): Component => {
  const all = united([a, b]).slice(0, 2 * cap);
  return sameComponent(all, a) ? a : all;
};

/** The number of values in the window. Buckets are newest first, so it stops at the first one outside. */
const countInWindow = (spec: CellSpec, list: Component, now: number): number => {
  const current = bucketOf(spec, now);
  let count = 0;
  while (2 * count < list.length && current - (list[2 * count] as number) < spec.buckets) count++;
  return count;
};
