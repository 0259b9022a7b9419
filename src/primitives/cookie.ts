import { utf8Bytes } from './utf8Bytes';

/** A cookie before it is written. */
export interface Cookie {
  readonly name: string;
  /**
   * As plain text; it is encoded when the cookie is written. Of a list, given as the JSON text of each item, the cookie
   * has as many first items as there is room for.
   */
  readonly value: string | readonly string[];
  /** The cookie is sent to this domain and all below it. */
  readonly domain: string;
  readonly expires: Date;
}

/** Most browsers refuse a larger cookie (spec C§5). */
const maxBytes = 4096;

/**
 * The finished text for `document.cookie`, with path /, SameSite=none and secure. An error says why there is none: a
 * missing field or a size above 4096 bytes (spec C§5, C§8).
 */
export const cookieText = ({ name, value, domain, expires }: Cookie): string | Error => {
  const missing = Object.entries({ name, value, domain }).flatMap(([field, given]) => (given === '' ? [field] : []));
  if (Number.isNaN(expires.getTime())) missing.push('expiry');
  if (missing.length > 0) return new Error(`Cookie is missing required fields: ${missing.join(', ')}`);
  const lineOf = (content: string): string => cookieLine({ name, value: content, domain, expires });
  const text = lineOf(typeof value === 'string' ? value : listWithin(maxBytes - utf8Bytes(lineOf('[]')), value));
  return utf8Bytes(text) > maxBytes
    ? new Error('Cookie exceeds maximum supported size of 4096 bytes for most browsers')
    : text;
};

/** The first items as a JSON list, as many as need no more than that many bytes beside the brackets once encoded. */
const listWithin = (bytes: number, items: readonly string[]): string => {
  // The first item needs no comma.
  let left = bytes + encodeURIComponent(',').length;
  const end = items.findIndex((item) => (left -= encodeURIComponent(`,${item}`).length) < 0);
  return `[${items.slice(0, end < 0 ? undefined : end).join()}]`;
};

/** The text of a cookie as it is. Without a domain, the cookie is of the page's host alone. */
export const cookieLine = ({ name, value, domain, expires }: Cookie & { readonly value: string }): string =>
  `${name}=${encodeURIComponent(value)}; expires=${expires.toUTCString()}; ${domain && `domain=${domain}; `}path=/; SameSite=none; secure`;

/** A number of days or months, such as `6 months`. */
export const expiryPattern = /^(\d{1,4}) (day|month)s?$/;

/** The instant `expiry` after `now` (ms since 1970). The date is invalid where `expiry` has not the pattern. */
export const expiryDate = (expiry: string, now: number): Date => {
  const [, count, unit] = expiryPattern.exec(expiry) ?? [];
  const date = new Date(count === undefined ? NaN : now);
  if (unit === 'day') date.setUTCDate(date.getUTCDate() + Number(count));
  if (unit === 'month') date.setUTCMonth(date.getUTCMonth() + Number(count));
  return date;
};
