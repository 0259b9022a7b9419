import { times } from '../../primitives/lists';
import { isIntegers } from './buckets';
import { bottom, type CellKind, type CellMoment, type CellSpec, type Component, type Scope } from './cell';

/** What was counted in one session or view. */
type ScopeCount = readonly [startedAt: number, hash: number, weight: number];

/**
 * Counts and sums within the current session or view. The component is the concatenation of what was counted in each:
 * start of the scope in ms, hash of its id, weight; the later start is first. The component never leaves this browser.
 * The value of the cell is 0 as soon as another session or view begins.
 *
 * A view is of one tab, and its cell has one count. A session is of all tabs, which do not join it in the same moment:
 * for a second, one tab may count in a session that another tab has ended. So the cell of a session has the last two.
 */
export const scopedCell: CellKind = {
  onlyRises: true,
  feed: (spec, own, { amount }, moment) => {
    const scope = current(spec, moment);
    if (scope === null) return own;
    const at = weightAt(own, scope);
    const weight = own[at];
    if (weight !== undefined && weight >= spec.cap) return own;
    const counted = Math.min(spec.cap, (weight ?? 0) + amount);
    if (weight !== undefined) return own.map((value, i) => (i === at ? counted : value));
    const others = scopeCounts(own).slice(0, mostScopes(spec) - 1);
    // The current scope stays, even where a clock set back makes another one look later.
    return [...others, [scope.startedAt, scope.hash, counted] as const].sort(laterFirst).flat();
  },
  // A full cell still changes: the first event of another scope adds a count.
  fullUntil: () => -Infinity,
  join: (spec, a, b) => latestCounts(spec, a, b, (later) => later),
  append: (spec, earlier, later) =>
    latestCounts(spec, earlier, later, ([startedAt, hash, weight], [, , other]) => [
      startedAt,
      hash,
      Math.min(spec.cap, weight + other),
    ]),
  // Other devices have sessions and views of their own.
  delta: () => bottom,
  compact: (_spec, own) => own,
  // Which scope is the current one is not told by its start.
  notAfter: (_spec, own) => own,
  // Counts only while its scope is the current one; the components of other sources never do.
  value: (spec, own, _others, moment) => {
    const scope = current(spec, moment);
    return (scope && own[weightAt(own, scope)]) ?? 0;
  },
  flipAt: () => Infinity,
  encode: (_spec, own) => own,
  decode: (spec, wire) => {
    if (!isIntegers(wire) || wire.length === 0 || wire.length % 3 !== 0) return null;
    const counts = scopeCounts(wire);
    const isSound =
      counts.length <= mostScopes(spec) &&
      counts.every(([, , weight]) => weight >= 1 && weight <= spec.cap) &&
      wire[1] !== wire[4];
    return isSound ? wire : null;
  },
};

/** The scope that the cell counts in; null where the page has none. */
const current = ({ scope }: CellSpec, moment: CellMoment): Scope | null => moment[scope ?? 'session'];
const mostScopes = ({ scope }: CellSpec): number => (scope === 'session' ? 2 : 1);

const scopeCounts = (own: Component): readonly ScopeCount[] =>
  times(own.length / 3, (i) => own.slice(3 * i, 3 * i + 3) as unknown as ScopeCount);
/**
 * Where the weight of a session or view stands; -1 where nothing was counted in it. The id alone tells: a tab takes for
 * the start of a session the moment at which it has joined it.
 */
const weightAt = (own: Component, { hash }: Pick<Scope, 'hash'>): number =>
  own[1] === hash ? 2 : own[4] === hash ? 5 : -1;

/**
 * The order of counts: by start, then by hash, then by weight. One order for all makes the join associative. What two
 * tabs have counted in one session keeps the later start.
 */
const laterFirst = (a: ScopeCount, b: ScopeCount): number => b[0] - a[0] || b[1] - a[1] || b[2] - a[2];

/** The latest of both components' counts. `same`: what two counts of one scope make, the later one first. */
const latestCounts = (
  spec: CellSpec,
  a: Component,
  b: Component,
  same: (later: ScopeCount, other: ScopeCount) => ScopeCount,
): Component => {
  const byHash = new Map<number, ScopeCount>();
  for (const count of [...scopeCounts(a), ...scopeCounts(b)].sort(laterFirst)) {
    const later = byHash.get(count[1]);
    byHash.set(count[1], later ? same(later, count) : count);
  }
  return [...byHash.values()].slice(0, mostScopes(spec)).flat();
};
