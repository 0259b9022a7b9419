import { isIntegers } from './buckets';
import { bottom, type CellKind, type CellMoment, type CellSpec, type Component, type Scope } from './cell';

/**
 * Counts and sums within the current session or view. The component is [start of the scope in ms, hash of its id,
 * weight]. The component never leaves this browser. The value of the cell is 0 as soon as another session or view
 * begins. Events of other sessions and views are kept out by the caller.
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
  join: (_spec, a, b) => (isLater(a, b) ? a : b),
  append: (spec, earlier, later) => {
    const last = isLater(earlier, later) ? earlier : later;
    if (!sameScope(earlier, later)) return last;
    return [last[0] ?? 0, last[1] ?? 0, Math.min(spec.cap, weight(earlier) + weight(later))];
  },
  // Other devices have sessions and views of their own.
  delta: () => bottom,
  compact: (_spec, own) => own,
  // The current scope replaces any other, whenever that began.
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
const current = ({ scope }: CellSpec, moment: CellMoment): Scope | null => moment[scope ?? 'session'];
const weight = (own: Component): number => own[2] ?? 0;
/**
 * Whether both components count in the same session or view. The id alone tells: a tab takes for the start of a session
 * the moment at which it has joined it.
 */
const sameScope = (a: Component, b: Component): boolean => a.length > 0 && b.length > 0 && a[1] === b[1];

/**
 * Whether `a` wins against `b`: by start, then by hash, then by weight. One order for all components makes the join
 * associative. What two tabs have counted in one session keeps the later start, so that it wins against what was stored
 * before.
 */
const isLater = (a: Component, b: Component): boolean => {
  const differing = [0, 1, 2].find((i) => a[i] !== b[i]) ?? 0;
  return (a[differing] ?? -Infinity) > (b[differing] ?? -Infinity);
};
