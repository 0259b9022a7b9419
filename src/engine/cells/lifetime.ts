import { fold } from '../../primitives/lists';
import { bottom, type CellKind, type Component } from './cell';

/**
 * Counts and sums over the whole life. The component is one number, [total], which is limited to the cap and never
 * expires.
 */
export const lifetimeCell: CellKind = {
  onlyRises: true,
  feed: ({ cap }, own, { amount }) => (total(own) >= cap ? own : [Math.min(cap, total(own) + amount)]),
  // At the cap no event changes it any more.
  fullUntil: ({ cap }, own) => (total(own) < cap ? -Infinity : Infinity),
  // Of two copies of one count the larger one is newer, because counts only grow.
  join: (_spec, a, b) => (total(b) > total(a) ? b : a),
  append: ({ cap }, earlier, later) => (later.length === 0 ? earlier : [Math.min(cap, total(earlier) + total(later))]),
  delta: (_spec, previous, current) => (total(current) > total(previous) ? current : bottom),
  compact: (_spec, own) => own,
  notAfter: (_spec, component) => component,
  value: ({ cap, largest }, own, others) =>
    Math.min(
      cap,
      fold(others, total(own), (sum, other) => (largest ? Math.max(sum, total(other)) : sum + total(other))),
    ),
  flipAt: () => Infinity,
  encode: (_spec, own) => total(own),
  decode: ({ cap }, wire) =>
    Number.isSafeInteger(wire) && (wire as number) >= 1 && (wire as number) <= cap ? [wire as number] : null,
};

/** The total weight of a component; 0 for bottom. */
const total = (own: Component): number => own[0] ?? 0;
