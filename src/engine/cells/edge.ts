import { fold } from '../../primitives/lists';
import { isIntegers } from './buckets';
import { bottom, type CellKind, type CellSpec, type Component, sameComponent } from './cell';

/**
 * The latest or the earliest event. The component is [time in ms, 1 if the event passed the test, else 0]. Times and
 * windows are exact to the millisecond. The value is 1 when the event passed and is in the window, else 0.
 */
export const edgeCell: CellKind = {
  // A later event that fails the test replaces one that passed.
  onlyRises: false,
  feed: (spec, own, { time, amount }) => join(spec, own, [time, amount]),
  fullUntil: () => -Infinity,
  join,
  // The edge of all events is the nearer one of two edges, whichever events they came from.
  append: join,
  delta: (_spec, previous, current) => (sameComponent(previous, current) ? bottom : current),
  // The earliest event stays: without it a later one would take its place.
  compact: ({ edge, windowMs }, own, now) =>
    edge === 'last' && own.length > 0 && now - timeOf(own) >= windowMs ? bottom : own,
  notAfter: (_spec, component, limit, moves) =>
    timeOf(component) <= limit ? component : moves ? [limit, component[1] ?? 0] : bottom,
  value: (spec, own, others, { now }) => {
    const all = fold(others, own, (joined, other) => join(spec, joined, other));
    return all[1] === 1 && now - timeOf(all) < spec.windowMs ? 1 : 0;
  },
  flipAt: (spec, own, others, moment) => {
    // Time alone takes an event out of the window and never brings one in.
    if (edgeCell.value(spec, own, others, moment) === 0) return Infinity;
    return timeOf(fold(others, own, (joined, other) => join(spec, joined, other))) + spec.windowMs;
  },
  encode: (_spec, own) => own,
  decode: (_spec, wire) => (isIntegers(wire) && wire.length === 2 && (wire[1] === 0 || wire[1] === 1) ? wire : null),
};

const timeOf = (own: Component): number => own[0] ?? 0;

/** The event nearer to the edge wins; in the same millisecond one that passed does. */
function join({ edge }: CellSpec, a: Component, b: Component): Component {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  if (timeOf(a) === timeOf(b)) return a[1] === 1 ? a : b[1] === 1 ? b : a;
  return timeOf(a) > timeOf(b) === (edge === 'last') ? a : b;
}
