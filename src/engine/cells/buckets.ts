import { bottom, type CellMoment, type CellSpec, type Component, decides } from './cell';

// The lists of time buckets that windowed counts, distinct values and sequences keep: pairs [bucket, weight, bucket,
// weight, …], newest bucket first, each bucket once. Distinct values have a hash in place of the weight, and a bucket
// may have several.
// Windows are cut into buckets aligned to the epoch, so that the buckets of different devices add up exactly.
// Invariant: a list of weights ends at the bucket with which the weights, added up from the newest, reach the cap.
// Older buckets cannot change the comparison. So a cell that asks for "at least k" events holds at most k pairs, and
// feeding an event or reading the value is linear in that small number.

/** The bucket that holds an instant: `floor(time / width)`. Life time is one bucket, number 0, that never ends. */
export const bucketOf = ({ width }: CellSpec, time: number): number => (width === 0 ? 0 : Math.floor(time / width));

/** The instant, in ms, from which a bucket is outside the window. Infinity for life time. */
export const exitOf = ({ width, buckets }: CellSpec, bucket: number): number =>
  width === 0 ? Infinity : (bucket + buckets) * width;

/**
 * Whether a bucket is in the window, given the bucket of the present. A bucket in the future counts as inside: another
 * device may be a day ahead, and its list, where it is full, may have dropped older buckets in favour of that one.
 * Leaving it out would make the count too low.
 */
const inWindow = (current: number, bucket: number, { buckets }: CellSpec): boolean => current - bucket < buckets;

/**
 * Adds the weight of one event to a bucket. Answers the same list when newer buckets, or this one, already reach the
 * cap: the event then changes nothing. Otherwise the new list keeps the newer buckets, and as many of the older buckets
 * as are needed to reach the cap.
 */
export const addTo = (spec: CellSpec, own: Component, bucket: number, weight: number): Component => {
  const { cap } = spec;
  const { length } = own;
  let at = 0;
  let sum = 0;
  for (; at < length && (own[at] as number) > bucket; at += 2) sum += own[at + 1] as number;
  // The weights of the newer buckets reach the cap alone.
  if (sum >= cap) return own;
  const present = at < length && own[at] === bucket ? (own[at + 1] as number) : 0;
  if (present >= cap) return own;
  const total = Math.min(cap, present + weight);
  sum += total;
  // The older buckets begin at this index of the list.
  const rest = present > 0 ? at + 2 : at;
  // Older buckets are kept up to the one with which the sum of the weights reaches the cap.
  let end = rest;
  for (; end < length && sum < cap; end += 2) sum += own[end + 1] as number;
  // An event in the newest bucket, which most events are, has no newer pairs to copy.
  if (at === 0) return end === rest ? [bucket, total] : [bucket, total].concat(own.slice(rest, end));
  return own.slice(0, at).concat(bucket, total, own.slice(rest, end));
};

/**
 * Limits each weight to the cap and drops the buckets behind the one with which the weights reach the cap. Changes the
 * list in place and answers it.
 */
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

/**
 * Merges two lists bucket by bucket in one pass. `combine` gives the weight of a bucket from its weights in both lists,
 * 0 where a list lacks it: the larger for a join, the sum for an append. The result is cut. Answers the list itself
 * when the other one is empty.
 */
export const zip = (a: Component, b: Component, cap: number, combine: (x: number, y: number) => number): Component => {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  const merged: number[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    // A list that is used up is behind every bucket.
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

/** The weight of a bucket after an append: both lists have counted different events. */
export const plus = (x: number, y: number): number => x + y;

/** Keeps the pairs that a test admits. Answers the same list when that is all of them. */
export const keep = (list: Component, admits: (bucket: number, amount: number) => boolean): Component => {
  const kept: number[] = [];
  for (let i = 0; i < list.length; i += 2) {
    const bucket = list[i] as number;
    const amount = list[i + 1] as number;
    if (admits(bucket, amount)) kept.push(bucket, amount);
  }
  return kept.length === list.length ? list : kept.length === 0 ? bottom : kept;
};

/** The pairs of `current` that `previous` lacks or has with less weight. Joined to `previous` they give `current`. */
export const newWeights = (previous: Component, current: Component): Component => {
  if (previous === current) return bottom;
  const weights = weightByBucket(previous);
  return keep(current, (bucket, weight) => (weights.get(bucket) ?? 0) < weight);
};

/** Weights under their buckets, for lists that do not have the same buckets. */
const weightByBucket = (list: Component): ReadonlyMap<number, number> => {
  const weights = new Map<number, number>();
  for (let i = 0; i < list.length; i += 2) weights.set(list[i] as number, list[i + 1] as number);
  return weights;
};

/** Drops the buckets that are outside the window at `now`. Answers the same list when there are none. */
export const compactBuckets = (spec: CellSpec, own: Component, now: number): Component => {
  const current = bucketOf(spec, now);
  return keep(own, (bucket) => inWindow(current, bucket, spec));
};

/**
 * Drops the buckets that begin after `limit`, an instant in ms, or `moves` what is in them to the bucket of the limit.
 * `add` adds one amount.
 */
export const bucketsNotAfter = (
  spec: CellSpec,
  list: Component,
  limit: number,
  moves: boolean,
  add = addTo,
): Component => {
  const last = bucketOf(spec, limit);
  let dated = keep(list, (bucket) => bucket <= last);
  // The newest buckets are the first of the list, so the loop ends at the first that is not moved.
  if (moves) for (let i = 0; (list[i] ?? last) > last; i += 2) dated = add(spec, dated, last, list[i + 1] as number);
  return dated;
};

/**
 * The weight in the window, all sources together, limited to the cap. Sources are added up, except where the cell is
 * `largest`: then the source with the largest weight counts alone.
 */
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

/** The weight of one source in the window. Stops at the first bucket outside, because all that follow are older. */
const sumInWindow = (spec: CellSpec, list: Component, current: number): number => {
  let sum = 0;
  for (let i = 0; i < list.length && inWindow(current, list[i] as number, spec); i += 2) sum += list[i + 1] as number;
  return sum;
};

/**
 * The first instant after now at which a bucket leaves the window and the comparison changes by that. The answer is
 * Infinity where no such instant comes. Exact for one source as for several.
 */
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
  // Only buckets inside the window are looked at: the others have left already.
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
  // Other comparisons: the whole weight first, then the buckets leave one by one, the oldest first.
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

/**
 * Tries the exits of all buckets in the order of time, and answers the first at which the comparison changes. Used
 * where the lists of several sources, or distinct values, lose buckets together. `valueAt` gives the value at an
 * instant; it is computed once for each different exit.
 */
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

/**
 * Writes every bucket but the first as the gap to the one before, which makes the numbers short: `[281098,1,14,1]` has
 * weight 1 in the buckets 281098 and 281084.
 */
export const encodePairs = (list: Component): readonly number[] =>
  list.map((value, i) => (i % 2 === 0 && i > 0 ? (list[i - 2] as number) - value : value));

/**
 * Reads pairs back. `admits` is asked about each pair but the first, with the gap to the pair before it, its own
 * amount, and the amount of the pair before it. Null when the input is not a flat list of integer pairs, has more than
 * `maxPairs` of them, or a pair is not admitted.
 */
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

/**
 * Reads weights: strictly newest first, each between one and the cap. Null when they are not. A list that goes on
 * behind the cap is cut.
 */
export const decodeWeights = ({ cap }: CellSpec, wire: unknown): Component | null => {
  const list = decodePairs(wire, maxPairs, (gap) => gap > 0);
  return list?.every((value, i) => i % 2 === 0 || (value >= 1 && value <= cap)) === true ? cut([...list], cap) : null;
};

/** Whether something stored or received is a list of integers that a JavaScript number holds exactly. */
export const isIntegers = (wire: unknown): wire is readonly number[] =>
  Array.isArray(wire) && wire.every(Number.isSafeInteger);

/** The most buckets a window can be cut into. A longer list was not written by an engine. */
const maxPairs = 1000;
