import * as t from 'io-ts';

/** Text that parses as a date. Any other text would make comparisons of times wrong without a sign. */
export const IsoDate = t.refinement(t.string, (text) => !Number.isNaN(Date.parse(text)), 'ISO date');
