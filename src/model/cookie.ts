import { type Either, left, right } from 'fp-ts/Either';

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly expires: Date;
}

/** Most browsers keep no larger cookie (spec C§5). */
const maxBytes = 4096;

/** The finished `document.cookie` string: path /, SameSite=none, secure; or why there is none (spec C§5, C§8). */
export const cookieText = ({ name, value, domain, expires }: Cookie): Either<string, string> => {
  const missing = Object.entries({ name, value, domain }).flatMap(([field, given]) => (given === '' ? [field] : []));
  if (Number.isNaN(expires.getTime())) missing.push('expiry');
  if (missing.length > 0) return left(`Cookie is missing required fields: ${missing.join(', ')}`);
  const text = `${name}=${encodeURIComponent(value)}; expires=${expires.toUTCString()}; domain=${domain}; path=/; SameSite=none; secure`;
  return new TextEncoder().encode(text).length > maxBytes
    ? left('Cookie exceeds maximum supported size of 4096 bytes for most browsers')
    : right(text);
};

/**
 * The instant `expiry` after `now`: a number of `days` or `months`, such as `6 months`. An invalid date for anything
 * else.
 */
export const expiryDate = (expiry: string, now: number): Date => {
  const [, count, unit] = /^(\d{1,4}) (day|month)s?$/.exec(expiry) ?? [];
  const date = new Date(count === undefined ? NaN : now);
  if (unit === 'day') date.setUTCDate(date.getUTCDate() + Number(count));
  if (unit === 'month') date.setUTCMonth(date.getUTCMonth() + Number(count));
  return date;
};
