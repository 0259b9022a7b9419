import { dayMs, hourMs } from '../../primitives/duration';
import type { EngineEvent } from '../engineEvent';

/** Where a predicate is evaluated: an event, the value of a lookup, or an element of a list. */
export interface Subject {
  /** What paths start from: the properties of the event, the value, or the element. */
  readonly root: unknown;
  /** The event whose properties `root` is, for the names with a dollar; null elsewhere. */
  readonly event: EngineEvent | null;
}

/** A compiled predicate. The test never throws. */
export type Test = (subject: Subject) => boolean;

/** Reads the values at a path. The list is empty where there are none. */
export type PathReader = (subject: Subject) => readonly unknown[];

/**
 * Reads all values at a path of names with dots between them. Only own properties are read, so that no name reaches a
 * prototype. Lists met on the way or at the end are flattened; null and undefined are left out. The names `$name`,
 * `$time`, `$day`, `$hour`, `$session_id` and `$view_id` are read from the event itself; elsewhere they are ordinary
 * names.
 */
export const pathReader = (path: string): PathReader => {
  const segments = path.split('.');
  const last = segments.length - 1;
  const collect = (value: unknown, depth: number, found: unknown[]): void => {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      // A list takes no segment of the path: what follows is read in each element.
      for (const element of value as readonly unknown[]) collect(element, depth, found);
    } else if (depth > last) {
      found.push(value);
    } else if (typeof value === 'object') {
      const segment = segments[depth] ?? '';
      if (hasOwn(value, segment)) collect((value as Readonly<Record<string, unknown>>)[segment], depth + 1, found);
    }
  };
  const read: PathReader = ({ root }) => {
    let value = root;
    let depth = 0;
    // Down to the first list, or to the end of the path.
    for (; depth <= last && typeof value === 'object' && value !== null && !Array.isArray(value); depth++) {
      const segment = segments[depth] as string;
      if (!hasOwn(value, segment)) return none;
      value = (value as Readonly<Record<string, unknown>>)[segment];
    }
    const found: unknown[] = [];
    collect(value, depth, found);
    return found;
  };
  const meta = metadata.get(path);
  return meta === undefined
    ? read
    : (subject) => {
        if (subject.event === null) return read(subject);
        const value = meta(subject.event);
        return value === null || value === undefined ? [] : [value];
      };
};

const none: readonly unknown[] = [];

/** What the names with a dollar read. Days and hours are UTC, days are counted from 1970. */
const metadata = new Map<string, (event: EngineEvent) => unknown>([
  ['$name', ({ name }) => name],
  ['$time', ({ time }) => time],
  ['$day', ({ time }) => Math.floor(time / dayMs)],
  ['$hour', ({ time }) => Math.floor((time - Math.floor(time / dayMs) * dayMs) / hourMs)],
  ['$session_id', ({ session_id }) => session_id],
  ['$view_id', ({ view_id }) => view_id],
]);

/** Events come from the page and may have an own `hasOwnProperty`. */
const hasOwn = (value: object, key: string): boolean => Object.prototype.hasOwnProperty.call(value, key);
