import { isRecord } from '../src/codecs/codecs';
import { ownEntry } from '../src/hardening/ownFields';

/** Parts that are named. A rewritten condition would be a long list that nobody reads. */
const maxParts = 3;
/** Characters of a value that are shown. */
const maxValue = 60;

/** What has changed between two values, by path, in words: `is/gte: 6 → 3, and/2: new, Pageview`. */
export const changedParts = (before: unknown, after: unknown): string => {
  const parts = partsOf(before, after, []);
  const more = parts.length - maxParts;
  return [...parts.slice(0, maxParts), ...(more > 0 ? [`${more} more`] : [])].join(', ');
};

const partsOf = (before: unknown, after: unknown, path: readonly string[]): readonly string[] => {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const here = path.length === 0 ? '' : `${path.join('/')}: `;
  if (before === undefined) return [`${here}new, ${shown(after)}`];
  if (after === undefined) return [`${here}gone`];
  const [old, present] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(present ?? {})])];
  const isSameKind = old !== undefined && present !== undefined && Array.isArray(before) === Array.isArray(after);
  // Where no field has stayed, one part has taken the place of another.
  if (!isSameKind || !names.some((name) => Object.hasOwn(old, name) && Object.hasOwn(present, name)))
    return [`${here}${shown(before)} → ${shown(after)}`];
  return names.flatMap((name) => partsOf(ownEntry(old, name), ownEntry(present, name), [...path, name]));
};

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (Array.isArray(value)) return Object.fromEntries(value.entries());
  return isRecord(value) ? value : undefined;
};

const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length <= maxValue ? text : `${text.slice(0, maxValue)}…`;
};
