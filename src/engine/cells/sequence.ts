import {
  addTo,
  bucketFlipAt,
  bucketOf,
  bucketsNotAfter,
  compactBuckets,
  decodeWeights,
  encodePairs,
  isIntegers,
  newWeights,
  plus,
  weightInWindow,
  zip,
} from './buckets';
import { bottom, type CellKind, type CellSpec, type Component, sameComponent } from './cell';

// A component is [p1, …, p(n−1), bucket, weight, …] for n steps. pj is when the latest match of the steps 1 to j began,
// in ms, 0 where there is none; behind these prefixes comes the windowed count of completions.
// One start time for each prefix is enough: of several matches, the one that began last can be continued the longest.
// An event costs one pass over its steps. Prefixes are not combined between devices: a sequence takes place on one.

/**
 * Completions of a sequence of events: in the given order, on one device, within a span. The value is the number of
 * completions in the window.
 */
export const sequenceCell: CellKind = {
  onlyRises: true,
  feed: (spec, own, { time, amount: matched }) => {
    const starts = startsOf(spec, own);
    let completions = completionsOf(spec, own);
    // From the last step to the first, so that an event that matches several steps serves one of them in a chain.
    for (let step = starts.length; step >= 0; step--) {
      if ((matched & (1 << step)) === 0) continue;
      const start = step === 0 ? time : reachable(spec, starts[step - 1] ?? 0, time);
      // The event matches the step, but nothing leads up to it.
      if (start === 0) continue;
      if (step === starts.length) completions = addTo(spec, completions, bucketOf(spec, time), 1);
      else starts[step] = Math.max(starts[step] ?? 0, start);
    }
    return pack(own, starts, completions);
  },
  fullUntil: () => -Infinity,
  join: (spec, a, b) => combineSequences(spec, a, b, Math.max),
  append: (spec, earlier, later) => combineSequences(spec, earlier, later, plus),
  // Start times are kept whole, because appending takes the later ones.
  delta: (spec, previous, current) => {
    if (previous === current) return bottom;
    const known = startsOf(spec, previous);
    const newer = startsOf(spec, current).map((start, i) => (start > (known[i] ?? 0) ? start : 0));
    return pack(bottom, newer, newWeights(completionsOf(spec, previous), completionsOf(spec, current)));
  },
  compact: (spec, own, now) => {
    // A prefix that is older than the span can no longer be completed.
    const live = startsOf(spec, own).map((start) => (now - start > spec.spanMs ? 0 : start));
    return pack(own, live, compactBuckets(spec, completionsOf(spec, own), now));
  },
  notAfter: (spec, component, limit, moves) => {
    const starts = startsOf(spec, component).map((start) => (start <= limit ? start : moves ? limit : 0));
    return pack(component, starts, bucketsNotAfter(spec, completionsOf(spec, component), limit, moves));
  },
  value: (spec, own, others, moment) =>
    weightInWindow(spec, completionsOf(spec, own), completionsOfAll(spec, others), moment),
  flipAt: (spec, own, others, moment) =>
    bucketFlipAt(spec, completionsOf(spec, own), completionsOfAll(spec, others), moment),
  encode: (spec, own) => [startsOf(spec, own), encodePairs(completionsOf(spec, own))],
  decode: (spec, wire) => {
    if (!Array.isArray(wire) || wire.length === 0 || wire.length > 2) return null;
    const [starts, pairs = []] = wire as readonly unknown[];
    if (!isIntegers(starts) || starts.length !== prefixCount(spec) || starts.some((start) => start < 0)) return null;
    const completions = decodeWeights(spec, pairs);
    return completions === null ? null : pack(bottom, starts, completions);
  },
};

/** How many start times a component begins with: one for each step but the last. */
const prefixCount = ({ steps }: CellSpec): number => steps - 1;
/** The start times of a component, in a list of their own that may be changed. */
const startsOf = (spec: CellSpec, own: Component): number[] =>
  own.length === 0 ? new Array<number>(prefixCount(spec)).fill(0) : own.slice(0, prefixCount(spec));
/** The windowed count of completions, as a list of buckets. */
const completionsOf = (spec: CellSpec, own: Component): Component => own.slice(prefixCount(spec));
const completionsOfAll = (spec: CellSpec, others: readonly Component[]): readonly Component[] =>
  others.length === 0 ? others : others.map((other) => completionsOf(spec, other));

/** The start of the prefix that an event at `time` may continue, or 0. */
const reachable = (spec: CellSpec, start: number, time: number): number =>
  start !== 0 && time >= start && time - start <= spec.spanMs ? start : 0;

/** The later of both starts for each prefix, and the completions combined by `weights`. */
const combineSequences = (
  spec: CellSpec,
  a: Component,
  b: Component,
  weights: (x: number, y: number) => number,
): Component => {
  const starts = startsOf(spec, a).map((start, i) => Math.max(start, startsOf(spec, b)[i] ?? 0));
  return pack(a, starts, zip(completionsOf(spec, a), completionsOf(spec, b), spec.cap, weights));
};

/** Puts a component together; `before` itself when it is the same. */
const pack = (before: Component, starts: readonly number[], completions: Component): Component => {
  const packed = [...starts, ...completions];
  if (packed.length === starts.length && starts.every((start) => start === 0)) return bottom;
  return sameComponent(packed, before) ? before : packed;
};
