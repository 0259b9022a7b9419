import { value } from '../codecs/codecs';

/** The time that a text says, in ms since 1970; NaN where the text is no date. Date.js replaces `Date.parse`. */
export const timeOf = (text: string): number => new Date(text).getTime();

/** Text that parses as a date. Any other text would make comparisons of times wrong without a sign. */
export const IsoDate = value<string>('ISO date', (input) => typeof input === 'string' && !Number.isNaN(timeOf(input)));
