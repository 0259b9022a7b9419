import { isoText } from '../primitives/isoDate';

/**
 * Called for each value that is left out, because JSON cannot hold it or there is no room for it. `path` is such as
 * `/list/3`.
 */
export type OnDrop = (path: string, reason: string) => void;

/** Levels of objects and lists inside each other. */
const maxDepth = 64;
/**
 * Bytes of JSON in UTF-8. With its other fields, an event then stays below the 48 kB that the server accepts, and fits
 * into a request that outlives the page (docs/decisions/024-event-size.md).
 */
const maxJsonBytes = 46 * 1024;
/** Drops of one value that are reported. The first ones describe a list of ten thousand functions well enough. */
const maxDrops = 20;

// Captured, because a date of the page may have a method of its own under this name.
// oxlint-disable-next-line typescript/unbound-method -- called with a date
const { getTime } = Date.prototype;

/**
 * A copy of a page's value with what JSON can hold. A cycle, BigInt, function, symbol, binary data or throwing getter
 * is dropped at its path, and so is what has no room or is too deep. `NaN` and infinities become null and dates ISO
 * text, as JSON would have it. Only own enumerable keys are read, so that what pages add to prototypes stays out. Never
 * throws.
 *
 * Values are copied depth first, and each takes its bytes from one budget. Once the budget is used up, the rest of a
 * list or object is left out unread. `taken`: bytes of the budget that something else beside the value takes.
 */
export const jsonValue = (value: unknown, onDrop: OnDrop, taken = 0): unknown =>
  copyOf(value, '', [], budgetOf(onDrop, taken));

/** The room that is left for one value. The budget also reports drops, up to `maxDrops`. */
interface Budget {
  /** Takes so many bytes where there is room for them; false where there is not. */
  readonly takes: (bytes: number) => boolean;
  /** Takes the room of a quoted text, and of `more` bytes beside it. */
  readonly takesText: (text: string, more?: number) => boolean;
  /** Reports a drop. Answers `undefined`, which stands for a dropped value in the copy. */
  readonly drop: (path: string, reason: string) => unknown;
}

const budgetOf = (onDrop: OnDrop, taken: number): Budget => {
  let [left, drops] = [maxJsonBytes - taken, 0];
  const takes = (bytes: number): boolean => {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  return {
    takes,
    takesText: (text, more = 0) => takes(jsonBytes(text, left) + more),
    drop: (path, reason) => {
      if ((drops += 1) <= maxDrops) onDrop(path, reason);
      return undefined;
    },
  };
};

const tooLarge = 'too large';

/** The copy of one value. `above` are the objects around it, by which a cycle is found. */
const copyOf = (item: unknown, path: string, above: readonly object[], budget: Budget): unknown => {
  switch (typeof item) {
    case 'undefined':
      return undefined;
    case 'string':
      return budget.takesText(item) ? item : budget.drop(path, tooLarge);
    case 'number':
    case 'boolean':
      if (!Number.isFinite(Number(item))) return copyOfNull(path, budget);
      return budget.takes(String(item).length) ? item : budget.drop(path, tooLarge);
    case 'object':
      return item === null ? copyOfNull(path, budget) : copyOfObject(item, path, above, budget);
    default:
      return budget.drop(path, typeof item);
  }
};

const copyOfNull = (path: string, { takes, drop }: Budget): unknown => (takes(4) ? null : drop(path, tooLarge));

const copyOfObject = (item: object, path: string, above: readonly object[], budget: Budget): unknown => {
  if (above.includes(item)) return budget.drop(path, 'cycle');
  if (above.length >= maxDepth) return budget.drop(path, 'too deep');
  try {
    if (item instanceof Date) {
      const time = getTime.call(item);
      return Number.isNaN(time) ? copyOfNull(path, budget) : copyOf(isoText(time), path, above, budget);
    }
    if (ArrayBuffer.isView(item) || item instanceof ArrayBuffer) return budget.drop(path, 'binary data');
    // Two bytes for the brackets.
    if (!budget.takes(2)) return budget.drop(path, tooLarge);
    const inside = [...above, item];
    return Array.isArray(item) ? copyOfList(item, path, inside, budget) : copyOfFields(item, path, inside, budget);
  } catch {
    // A proxy of the page may throw at any operation.
    budget.drop(path, 'unreadable');
    return;
  }
};

const readMember = (owner: object, key: string | number, path: string, { drop }: Budget): unknown => {
  try {
    return (owner as Record<string | number, unknown>)[key];
  } catch {
    drop(path, 'throwing getter');
    return;
  }
};

/** The copy of a list. A dropped item becomes null, because leaving it out would move those after it. */
const copyOfList = (list: readonly unknown[], path: string, inside: readonly object[], budget: Budget): unknown[] => {
  const copied: unknown[] = [];
  for (let i = 0; i < list.length; i += 1) {
    const at = `${path}/${i}`;
    // One byte for the comma. An item without a copy takes the four bytes of `null`.
    const kept = budget.takes(1) ? copyOf(readMember(list, i, at, budget), at, inside, budget) : undefined;
    if (kept === undefined && !budget.takes(4)) {
      budget.drop(at, tooLarge);
      break;
    }
    copied.push(kept ?? null);
  }
  return copied;
};

/** The copy of an object's own fields. A dropped field is left out. */
const copyOfFields = (
  owner: object,
  path: string,
  inside: readonly object[],
  budget: Budget,
): Record<string, unknown> => {
  const copied: [string, unknown][] = [];
  // Keys are listed once. JavaScript has no way to list only the first of them: `for in` and JSON list all before any.
  // The list takes half as long as the page took to make the object: 0.5 s for a million keys.
  for (const key of Object.keys(owner)) {
    // Assigning this key would set the prototype of the copy.
    if (key === '__proto__') continue;
    if (!budget.takesText(key, 2)) {
      budget.drop(path, tooLarge);
      break;
    }
    const at = `${path}/${key}`;
    const kept = copyOf(readMember(owner, key, at, budget), at, inside, budget);
    if (kept !== undefined) copied.push([key, kept]);
  }
  // Not assigned: a page may have frozen `Object.prototype`, and then a field called `constructor` takes no assignment.
  return Object.fromEntries(copied);
};

/**
 * Bytes of a text as JSON in UTF-8, counted up to `limit` only, so that a huge text costs no more than the room that is
 * left. JSON escapes half of a surrogate pair that is alone.
 */
export const jsonBytes = (text: string, limit = Infinity): number => {
  let bytes = 2;
  for (let i = 0; i < text.length && bytes <= limit; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x80) bytes += code < 0x20 ? 6 : code === 0x22 || code === 0x5c ? 2 : 1;
    else if (code < 0xd800 || code > 0xdfff) bytes += code < 0x800 ? 2 : 3;
    else if (code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) [bytes, i] = [bytes + 4, i + 1];
    else bytes += 6;
  }
  return bytes;
};
