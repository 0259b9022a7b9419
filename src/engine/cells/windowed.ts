import {
  addTo,
  bucketFlipAt,
  bucketOf,
  bucketsNotAfter,
  compactBuckets,
  decodeWeights,
  encodePairs,
  newWeights,
  plus,
  weightInWindow,
  zip,
} from './buckets';
import type { CellKind } from './cell';

/**
 * Counts and sums in a time window, and entries and exits of cohorts. The component is a list of buckets as buckets.ts
 * describes it.
 */
export const windowedCell: CellKind = {
  onlyRises: true,
  feed: (spec, own, { time, amount }) => addTo(spec, own, bucketOf(spec, time), amount),
  // A newest bucket that is full decides alone, so only an event in a newer one changes anything.
  fullUntil: ({ cap, width }, own) => ((own[1] ?? 0) < cap ? -Infinity : ((own[0] as number) + 1) * width),
  join: ({ cap }, a, b) => zip(a, b, cap, Math.max),
  append: ({ cap }, earlier, later) => zip(earlier, later, cap, plus),
  delta: (_spec, previous, current) => newWeights(previous, current),
  compact: compactBuckets,
  notAfter: bucketsNotAfter,
  value: weightInWindow,
  flipAt: bucketFlipAt,
  encode: (_spec, own) => encodePairs(own),
  decode: decodeWeights,
};
