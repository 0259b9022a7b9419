import { type Json, NoJson } from './json';

// Captured when the script loads, because pages replace these functions later.
const { stringify, parse } = JSON;

const isPatched = (): boolean =>
  [Array.prototype, Object.prototype, String.prototype, Number.prototype, Boolean.prototype].some(
    (prototype) => 'toJSON' in prototype,
  );

/** JSON that a page's `Array.prototype.toJSON` or `JSON.stringify` of its own cannot change. Takes plain data only. */
export const json: Json = {
  stringify: (value) => (isPatched() ? writeJson(value) : stringify(value)),
  parse: (text) => {
    try {
      return parse(text) as unknown;
    } catch {
      return NoJson;
    }
  },
};

const writeJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
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
// The native stringify would call a `toJSON` that the page added to String.prototype.
const quotedText = (value: string): string => `"${value.replace(special, escape)}"`;
const escape = (found: string): string => {
  if (found.length === 2) return found;
  return found === '"' || found === '\\' ? `\\${found}` : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
};
