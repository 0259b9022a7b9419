/** Told of each value that JSON cannot hold: where it was and why it was left out. */
export type OnDrop = (path: string, reason: string) => void;

const maxDepth = 64;

/**
 * A copy of a page's value with what JSON can hold. A cycle, BigInt, function, symbol or throwing getter is dropped at its
 * path; `NaN` and infinities become null and dates ISO text, as JSON would have it. Own enumerable keys only, so that what
 * pages add to prototypes stays out. Never throws.
 */
export const jsonValue = (value: unknown, onDrop: OnDrop): unknown => copy(value, '', [], onDrop);

const dropped = Symbol('dropped');

const copy = (value: unknown, path: string, above: readonly object[], onDrop: OnDrop): unknown => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value === undefined) return undefined;
  const drop = (reason: string): unknown => {
    onDrop(path, reason);
    return undefined;
  };
  if (typeof value !== 'object') return drop(typeof value);
  if (above.includes(value)) return drop('cycle');
  if (above.length >= maxDepth) return drop('too deep');
  try {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    const inside = [...above, value];
    return Array.isArray(value) ? copyList(value, path, inside, onDrop) : copyObject(value, path, inside, onDrop);
  } catch {
    return drop('unreadable');
  }
};

const read = (owner: object, key: string | number, path: string, onDrop: OnDrop): unknown => {
  try {
    return (owner as Record<string | number, unknown>)[key];
  } catch {
    onDrop(path, 'throwing getter');
    return dropped;
  }
};

// A hole keeps its place: dropping it would move its neighbours.
const copyList = (list: readonly unknown[], path: string, inside: readonly object[], onDrop: OnDrop): unknown[] => {
  const copied: unknown[] = [];
  for (let i = 0; i < list.length; i += 1) {
    const at = `${path}/${i}`;
    const item = read(list, i, at, onDrop);
    copied.push((item === dropped ? undefined : copy(item, at, inside, onDrop)) ?? null);
  }
  return copied;
};

const copyObject = (object: object, path: string, inside: readonly object[], onDrop: OnDrop): Record<string, unknown> => {
  const copied: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    if (key === '__proto__') continue;
    const at = `${path}/${key}`;
    const item = read(object, key, at, onDrop);
    const kept = item === dropped ? undefined : copy(item, at, inside, onDrop);
    if (kept !== undefined) copied[key] = kept;
  }
  return copied;
};
