import { isIntegers } from './buckets';
import { bottom, type CellKind, type CellMoment, type CellSpec, type Component, type Scope } from './cell';

/**
 * Counts and sums within the current session or view. The component is [start of the scope in ms, hash of its id,
 * weight]. It never leaves this browser, and its value is 0 as soon as another session or view begins. Events of other
 * sessions and views are kept out by the caller.
 */
export const scopedCell: CellKind = {
  onlyRises: true,
  feed: (spec, own, { amount }, moment) => {
    const scope = current(spec, moment);
    if (scope === null) return own;
    // The current scope replaces any other, even one that a clock set back makes look later.
    if (own[1] !== scope.hash) return [scope.startedAt, scope.hash, Math.min(spec.cap, amount)];
    return weight(own) >= spec.cap ? own : [own[0] ?? 0, scope.hash, Math.min(spec.cap, weight(own) + amount)];
  },
  // A full cell still changes: the first event of another scope replaces it.
  fullUntil: () => -Infinity,
  join: (_spec, a, b) => combineScopes(a, b, Math.max),
  append: (spec, earlier, later) => combineScopes(earlier, later, (x, y) => Math.min(spec.cap, x + y)),
  minus: (_spec, own, loaded) => {
    if (!sameScope(own, loaded)) return own;
    return weight(own) > weight(loaded) ? [own[0] ?? 0, own[1] ?? 0, weight(own) - weight(loaded)] : bottom;
  },
  // Other devices have sessions and views of their own.
  delta: () => bottom,
  compact: (_spec, own) => own,
  notAfter: (_spec, own) => own,
  // Counts only while its scope is the current one; the components of other sources never do.
  value: (spec, own, _others, moment) => {
    const scope = current(spec, moment);
    return scope !== null && own[1] === scope.hash ? weight(own) : 0;
  },
  flipAt: () => Infinity,
  encode: (_spec, own) => own,
  decode: ({ cap }, wire) =>
    isIntegers(wire) && wire.length === 3 && weight(wire) >= 1 && weight(wire) <= cap ? wire : null,
};

/** The scope that the cell counts in; null where the page has none. */
const current = ({ options }: CellSpec, moment: CellMoment): Scope | null => moment[options.scope ?? 'session'];
const weight = (own: Component): number => own[2] ?? 0;
/** Whether both components count in the same session or view. */
const sameScope = (a: Component, b: Component): boolean => a.length > 0 && a[0] === b[0] && a[1] === b[1];

/** The later scope wins; within the same one the weights are combined. */
function combineScopes(a: Component, b: Component, weights: (x: number, y: number) => number): Component {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  if (!sameScope(a, b)) return (a[0] ?? 0) - (b[0] ?? 0) > 0 || (a[0] === b[0] && (a[1] ?? 0) > (b[1] ?? 0)) ? a : b;
  const combined = weights(weight(a), weight(b));
  return combined === weight(a) ? a : [a[0] ?? 0, a[1] ?? 0, combined];
}
