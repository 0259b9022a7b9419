import { isRecord } from '../codecs/codecs';
import { type Json, NoJson } from './json';
import { ownFields } from './ownFields';

// Captured when the script loads, because pages replace these functions later.
const { stringify, parse } = JSON;

/** Whether the page has added a `toJSON` that JSON.stringify would call for plain data. */
const isPatched = (): boolean =>
  [Array.prototype, Object.prototype, String.prototype, Number.prototype, Boolean.prototype].some(
    (prototype) => 'toJSON' in prototype,
  );

/** Whether the page has added fields to all objects. */
const isPolluted = (): boolean => Object.keys(Object.prototype).length > 0;

/** Takes the prototypes off parsed objects, so that they have the fields of the text only. */
const withoutPrototype = (_: string, item: unknown): unknown => (isRecord(item) ? ownFields(item) : item);

/**
 * JSON that the page cannot change, neither by `toJSON` on a prototype nor by a `JSON.stringify` of its own.
 * `stringify` takes plain data only: no dates, and nothing undefined at the top.
 */
export const json: Json = {
  stringify: (value) => (isPatched() ? writeJson(value) : stringify(value)),
  parse: (text) => {
    try {
      return parse(text, isPolluted() ? withoutPrototype : undefined) as unknown;
    } catch {
      return NoJson;
    }
  },
};

/** Plain data as it is; on a page that has added fields to all objects, a copy whose objects have no prototype. */
export const plainData = <A>(data: A): A => (isPolluted() ? (json.parse(json.stringify(data)) as A) : data);

/**
 * Writes what JSON.stringify would write for plain data, without ever calling `toJSON`. Slower, so it is used only
 * where the page is patched.
 */
const writeJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item ?? null)).join(',')}]`;
  if (isRecord(value)) {
    const pairs = Object.entries(value).filter(([, item]) => item !== undefined);
    return `{${pairs.map(([key, item]) => `${quotedText(key)}:${writeJson(item)}`).join(',')}}`;
  }
  return typeof value === 'string'
    ? quotedText(value)
    : typeof value === 'number' && !Number.isFinite(value)
      ? 'null'
      : String(value);
};

// Surrogate pairs are matched whole, so that only lone ones are escaped.
const special = /[\ud800-\udbff][\udc00-\udfff]|["\\\u0000-\u001f\ud800-\udfff]/g;
// The native stringify would call a `toJSON` that the page has added to String.prototype.
const quotedText = (value: string): string => `"${value.replace(special, escape)}"`;
/** A surrogate pair stays as it is; everything else is escaped as JSON.stringify does. */
const escape = (found: string): string => {
  if (found.length === 2) return found;
  return found === '"' || found === '\\' ? `\\${found}` : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
};
