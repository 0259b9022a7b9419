import { value } from '../codecs/codecs';

/** Text that parses as a date. Any other text would make comparisons of times wrong without a sign. */
export const IsoDate = value<string>(
  'ISO date',
  (input) => typeof input === 'string' && !Number.isNaN(Date.parse(input)),
);
