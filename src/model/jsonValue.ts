/** Told of values that JSON cannot hold, or that have no room: where one was and why it was left out. */
export type OnDrop = (path: string, reason: string) => void;

const maxDepth = 64;
/** With all that an event has besides, it stays below 48 kB, and fits into what outlives a page. */
const maxBytes = 46 * 1024;
/** Of one value; a list of ten thousand functions is told of as well by its first ones. */
const maxDrops = 20;

// Captured: a date may have methods of its own.
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with a date
const { toISOString, getTime } = Date.prototype;

/**
 * A copy of a page's value with what JSON can hold. A cycle, BigInt, function, symbol, binary data or throwing getter is
 * dropped at its path, and so is what has no room or is too deep; `NaN` and infinities become null and dates ISO text, as
 * JSON would have it. Own enumerable keys only, so that what pages add to prototypes stays out. Never throws.
 */
export const jsonValue = (value: unknown, onDrop: OnDrop): unknown => {
  let drops = 0;
  const drop = (path: string, reason: string): unknown => {
    if ((drops += 1) <= maxDrops) onDrop(path, reason);
    return undefined;
  };
  let left = maxBytes;
  /** Takes room, where there is as much. */
  const takes = (bytes: number): boolean => {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };

  const copy = (item: unknown, path: string, above: readonly object[]): unknown => {
    switch (typeof item) {
      case 'undefined':
        return undefined;
      case 'string':
        return takes(bytesOf(item, left)) ? item : drop(path, 'too large');
      case 'boolean':
      case 'number':
        if (typeof item === 'number' && !Number.isFinite(item)) return copyNull(path);
        return takes(String(item).length) ? item : drop(path, 'too large');
      case 'object':
        return item === null ? copyNull(path) : copyObject(item, path, above);
      default:
        return drop(path, typeof item);
    }
  };
  const copyNull = (path: string): unknown => (takes(4) ? null : drop(path, 'too large'));
  const copyObject = (item: object, path: string, above: readonly object[]): unknown => {
    if (above.includes(item)) return drop(path, 'cycle');
    if (above.length >= maxDepth) return drop(path, 'too deep');
    try {
      if (item instanceof Date) return Number.isNaN(getTime.call(item)) ? copyNull(path) : copy(toISOString.call(item), path, above);
      if (ArrayBuffer.isView(item) || item instanceof ArrayBuffer) return drop(path, 'binary data');
      if (!takes(2)) return drop(path, 'too large');
      const inside = [...above, item];
      return Array.isArray(item) ? copyList(item, path, inside) : copyFields(item, path, inside);
    } catch {
      return drop(path, 'unreadable');
    }
  };
  const read = (owner: object, key: string | number, path: string): unknown => {
    try {
      return (owner as Record<string | number, unknown>)[key];
    } catch {
      return drop(path, 'throwing getter');
    }
  };
  // A hole keeps its place: dropping it would move its neighbours.
  const copyList = (list: readonly unknown[], path: string, inside: readonly object[]): unknown[] => {
    const copied: unknown[] = [];
    for (let i = 0; i < list.length; i += 1) {
      const at = `${path}/${i}`;
      const kept = takes(1) ? copy(read(list, i, at), at, inside) : undefined;
      if (kept === undefined && !takes(4)) {
        drop(at, 'too large');
        break;
      }
      copied.push(kept ?? null);
    }
    return copied;
  };
  const copyFields = (object: object, path: string, inside: readonly object[]): Record<string, unknown> => {
    const copied: Record<string, unknown> = {};
    for (const key of Object.keys(object)) {
      if (key === '__proto__') continue;
      const at = `${path}/${key}`;
      if (!takes(bytesOf(key, left) + 2)) {
        drop(path, 'too large');
        break;
      }
      const kept = copy(read(object, key, at), at, inside);
      if (kept !== undefined) copied[key] = kept;
    }
    return copied;
  };
  return copy(value, '', []);
};

/** Bytes of a text as JSON in UTF-8, as far as `limit`. Each half of a surrogate pair counts 3, for it may be alone. */
const bytesOf = (text: string, limit: number): number => {
  let bytes = 2;
  for (let i = 0; i < text.length && bytes <= limit; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x80) bytes += code < 0x20 ? 6 : code === 0x22 || code === 0x5c ? 2 : 1;
    else bytes += code < 0x800 ? 2 : 3;
  }
  return bytes;
};
