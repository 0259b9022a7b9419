import { value } from '../codecs/codecs';

/** The time that a text says, in ms since 1970; NaN where the text is no date. Date.js replaces `Date.parse`. */
export const timeOf = (text: string): number => new Date(text).getTime();

/** Text that parses as a date. Any other text would make comparisons of times wrong without a sign. */
export const IsoDate = value<string>('ISO date', (input) => typeof input === 'string' && !Number.isNaN(timeOf(input)));

const digits = (value: number, width: number): string => `${value}`.padStart(width, '0');

/** The year of ISO 8601, which has a sign and six digits where four do not do. */
const yearText = (year: number): string =>
  year >= 0 && year <= 9999 ? digits(year, 4) : `${year < 0 ? '-' : '+'}${digits(Math.abs(year), 6)}`;

/**
 * A time in UTC, as in `2026-11-29T11:40:00.000Z`. `ms`: since 1970, as far as dates reach. Not by `toISOString`,
 * because business applications replace that by a function that answers local time without a zone.
 */
export const isoText = (ms: number): string => {
  const date = new Date(ms);
  const days = `${yearText(date.getUTCFullYear())}-${digits(date.getUTCMonth() + 1, 2)}-${digits(date.getUTCDate(), 2)}`;
  const hours = `${digits(date.getUTCHours(), 2)}:${digits(date.getUTCMinutes(), 2)}`;
  return `${days}T${hours}:${digits(date.getUTCSeconds(), 2)}.${digits(date.getUTCMilliseconds(), 3)}Z`;
};
