import { bottom, type CellMoment, type CellSpec, type Component, decides } from './cell';

// Lists of (bucket, weight), newest bucket first. Windows are cut into buckets aligned to the epoch, so that
// the buckets of different devices add up exactly.

/** The bucket that holds an instant. Life time is one bucket that never ends. */
export const bucketOf = ({ width }: CellSpec, time: number): number => (width === 0 ? 0 : Math.floor(time / width));

/** When a bucket leaves the window. */
export const exitOf = ({ width, buckets }: CellSpec, bucket: number): number =>
  width === 0 ? Infinity : (bucket + buckets) * width;

/**
 * Whether a bucket is in the window; one in the future is: were it not yet, saturated counters would decide wrongly.
 */
const inWindow = (current: number, bucket: number, { buckets }: CellSpec): boolean => current - bucket < buckets;

/** Adds weight to a bucket; the same list when newer buckets, or this one, already decide. */
export const addTo = (spec: CellSpec, own: Component, bucket: number, weight: number): Component => {
  const { cap } = spec;
  const { length } = own;
  let at = 0;
  let sum = 0;
  for (; at < length && (own[at] as number) > bucket; at += 2) sum += own[at + 1] as number;
  if (sum >= cap) return own;
  const present = at < length && own[at] === bucket ? (own[at + 1] as number) : 0;
  if (present >= cap) return own;
  const total = Math.min(cap, present + weight);
  sum += total;
  // Older buckets are kept up to the one with which they decide.
  const rest = present > 0 ? at + 2 : at;
  let end = rest;
  for (; end < length && sum < cap; end += 2) sum += own[end + 1] as number;
  if (at === 0) return end === rest ? [bucket, total] : [bucket, total].concat(own.slice(rest, end));
  return own.slice(0, at).concat(bucket, total, own.slice(rest, end));
};

/** Limits each weight to the cap and drops what is older than the buckets that reach it. */
export const cut = (list: number[], cap: number): Component => {
  let sum = 0;
  for (let i = 0; i < list.length; i += 2) {
    const weight = Math.min(list[i + 1] as number, cap);
    list[i + 1] = weight;
    sum += weight;
    if (sum >= cap) list.length = i + 2;
  }
  return list;
};

/** Merges two lists, weights of the same bucket by `combine`. */
export const zip = (a: Component, b: Component, cap: number, combine: (x: number, y: number) => number): Component => {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  const merged: number[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const left = a[i] ?? -Infinity;
    const right = b[j] ?? -Infinity;
    const bucket = Math.max(left, right);
    const x = left === bucket ? (a[i + 1] as number) : 0;
    const y = right === bucket ? (b[j + 1] as number) : 0;
    merged.push(bucket, combine(x, y));
    if (left === bucket) i += 2;
    if (right === bucket) j += 2;
  }
  return cut(merged, cap);
};

export const plus = (x: number, y: number): number => x + y;

/** Keeps the pairs that a test admits; the same list when that is all of them. */
export const keep = (list: Component, admits: (bucket: number, amount: number) => boolean): Component => {
  const kept: number[] = [];
  for (let i = 0; i < list.length; i += 2) {
    const bucket = list[i] as number;
    const amount = list[i + 1] as number;
    if (admits(bucket, amount)) kept.push(bucket, amount);
  }
  return kept.length === list.length ? list : kept.length === 0 ? bottom : kept;
};

/** The weight that `own` has and `other` has not, by bucket. */
export const weightsBeyond = (own: Component, other: Component): Component => {
  const weights = weightByBucket(other);
  const beyond: number[] = [];
  for (let i = 0; i < own.length; i += 2) {
    const more = (own[i + 1] as number) - (weights.get(own[i] as number) ?? 0);
    if (more > 0) beyond.push(own[i] as number, more);
  }
  return beyond;
};

/** The pairs of `current` that `previous` lacks or has with less weight. */
export const newWeights = (previous: Component, current: Component): Component => {
  if (previous === current) return bottom;
  const weights = weightByBucket(previous);
  return keep(current, (bucket, weight) => (weights.get(bucket) ?? 0) < weight);
};

const weightByBucket = (list: Component): ReadonlyMap<number, number> => {
  const weights = new Map<number, number>();
  for (let i = 0; i < list.length; i += 2) weights.set(list[i] as number, list[i + 1] as number);
  return weights;
};

export const compactBuckets = (spec: CellSpec, own: Component, now: number): Component => {
  const current = bucketOf(spec, now);
  return keep(own, (bucket) => inWindow(current, bucket, spec));
};

export const bucketsNotAfter = (spec: CellSpec, list: Component, limit: number): Component =>
  keep(list, (bucket) => bucket * spec.width <= limit);

/** The weight in the window, all sources together, limited to the cap. */
export const weightInWindow = (
  spec: CellSpec,
  own: Component,
  others: readonly Component[],
  { now }: Pick<CellMoment, 'now'>,
): number => {
  const current = bucketOf(spec, now);
  let total = sumInWindow(spec, own, current);
  for (const other of others) {
    const more = sumInWindow(spec, other, current);
    total = spec.largest ? Math.max(total, more) : total + more;
  }
  return Math.min(total, spec.cap);
};

const sumInWindow = (spec: CellSpec, list: Component, current: number): number => {
  let sum = 0;
  for (let i = 0; i < list.length && inWindow(current, list[i] as number, spec); i += 2) sum += list[i + 1] as number;
  return sum;
};

/** The first bucket exit that changes the comparison. */
export const bucketFlipAt = (
  spec: CellSpec,
  own: Component,
  others: readonly Component[],
  moment: Pick<CellMoment, 'now'>,
): number => {
  if (spec.width === 0) return Infinity;
  if (others.length === 0) return aloneFlipAt(spec, own, bucketOf(spec, moment.now));
  return searchFlipAt(spec, [own, ...others], moment.now, (now) => weightInWindow(spec, own, others, { now }));
};

/** With one source the weight falls bucket by bucket, from the oldest on. */
const aloneFlipAt = (spec: CellSpec, own: Component, current: number): number => {
  const { low, high, cap } = spec;
  if (high === Infinity) {
    // "At least" ends when the oldest bucket that is still needed leaves.
    if (low <= 0) return Infinity;
    let sum = 0;
    for (let i = 0; i < own.length && inWindow(current, own[i] as number, spec); i += 2) {
      sum += own[i + 1] as number;
      if (sum >= low) return exitOf(spec, own[i] as number);
    }
    return Infinity;
  }
  let sum = 0;
  let end = 0;
  for (; end < own.length && inWindow(current, own[end] as number, spec); end += 2) sum += own[end + 1] as number;
  const holds = decides(spec, Math.min(cap, sum));
  for (let i = end - 2; i >= 0; i -= 2) {
    sum -= own[i + 1] as number;
    if (decides(spec, Math.min(cap, sum)) !== holds) return exitOf(spec, own[i] as number);
  }
  return Infinity;
};

/** Tries the exits of all buckets in turn. */
export const searchFlipAt = (
  spec: CellSpec,
  lists: readonly Component[],
  now: number,
  valueAt: (time: number) => number,
): number => {
  const holds = decides(spec, valueAt(now));
  const exits = new Set<number>();
  for (const list of lists) for (let i = 0; i < list.length; i += 2) exits.add(exitOf(spec, list[i] as number));
  const later = [...exits].filter((exit) => exit > now && exit < Infinity).sort((a, b) => a - b);
  return later.find((exit) => decides(spec, valueAt(exit)) !== holds) ?? Infinity;
};

/** Buckets as the gap to the one before, which makes the written numbers short. */
export const encodePairs = (list: Component): readonly number[] =>
  list.map((value, i) => (i % 2 === 0 && i > 0 ? (list[i - 2] as number) - value : value));

/** Reads pairs back; `admits` checks each against the one before. Null when they are malformed. */
export const decodePairs = (
  wire: unknown,
  maxPairs: number,
  admits: (gap: number, amount: number, previous: number) => boolean,
): Component | null => {
  if (!isIntegers(wire) || wire.length % 2 !== 0 || wire.length > 2 * maxPairs) return null;
  const list: number[] = [];
  for (let i = 0; i < wire.length; i += 2) {
    const gap = wire[i] as number;
    const amount = wire[i + 1] as number;
    if (i > 0 && !admits(gap, amount, wire[i - 1] as number)) return null;
    list.push(i === 0 ? gap : (list[i - 2] as number) - gap, amount);
  }
  return list;
};

/** Reads weights: strictly newest first, each between one and the cap. */
export const decodeWeights = ({ cap }: CellSpec, wire: unknown): Component | null => {
  const list = decodePairs(wire, maxPairs, (gap) => gap > 0);
  return list?.every((value, i) => i % 2 === 0 || (value >= 1 && value <= cap)) === true ? cut([...list], cap) : null;
};

export const isIntegers = (wire: unknown): wire is readonly number[] =>
  Array.isArray(wire) && wire.every(Number.isSafeInteger);

/** More buckets than any query keeps: a longer list is not ours. */
const maxPairs = 1000;
