import { isRecord } from '../../src/codecs/codecs';
import { ownEntry } from '../../src/hardening/ownFields';
import {
  commonProperties,
  type EventTypes,
  pageEvents,
  type PropertyType,
  type PropertyTypes,
  sdkEvents,
} from '../define/eventTypes';

/** What is known of the events of a project: those of the SDK, and those that the definition declares. */
export interface EventKnowledge {
  readonly isDeclared: boolean;
  readonly names: readonly string[];
  /** All properties of an event; undefined where it may have others. */
  readonly propertiesOf: (name: string) => PropertyTypes | undefined;
}

export const eventKnowledge = (declared: EventTypes | undefined): EventKnowledge => {
  const isPageEvent = (name: string): boolean => (pageEvents as readonly string[]).includes(name);
  return {
    isDeclared: declared !== undefined,
    names: [...new Set([...Object.keys(sdkEvents), ...Object.keys(declared ?? {})])],
    propertiesOf: (name) => {
      const page = isPageEvent(name) ? ownEntry(declared ?? {}, 'Pageview') : undefined;
      const own = ownEntry(declared ?? {}, name) ?? page;
      return own === undefined
        ? undefined
        : [ownEntry<PropertyTypes>(sdkEvents, name) ?? {}, page ?? {}, own].reduce(merged, commonProperties);
    },
  };
};

/** The properties of two declarations of the same object. */
const merged = (a: PropertyTypes, b: PropertyTypes): PropertyTypes => ({
  ...a,
  ...Object.fromEntries(
    Object.entries(b).map(([name, type]) => {
      const before = ownEntry(a, name);
      return [name, isRecord(before) && isRecord(type) ? merged(before, type) : type];
    }),
  ),
});

/** The type of a list's elements, or the type itself. */
const itemOf = (type: PropertyType): PropertyType =>
  Array.isArray(type) ? itemOf((type as readonly [PropertyType])[0]) : type;

/** The type at a path; undefined where there is none. An object without declared properties may have any. */
export const typeAt = (types: PropertyTypes, path: string): PropertyType | 'unknown' | undefined => {
  let at: PropertyType = types;
  for (const name of path.split('.')) {
    const inner = itemOf(at);
    if (!isRecord(inner)) return undefined;
    if (Object.keys(inner).length === 0) return 'unknown';
    const next = ownEntry(inner, name);
    if (next === undefined) return undefined;
    at = next;
  }
  return itemOf(at);
};

/** All paths in an object of properties. */
export const pathsIn = (types: PropertyTypes): readonly string[] =>
  Object.entries(types).flatMap(([name, type]) => {
    const inner = itemOf(type);
    return isRecord(inner) ? [name, ...pathsIn(inner).map((path) => `${name}.${path}`)] : [name];
  });
