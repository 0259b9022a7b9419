import * as t from 'io-ts';

/** Text that is a date: what is stored as one and is none would make every comparison with it meaningless. */
export const IsoDate = t.refinement(t.string, (text) => !Number.isNaN(Date.parse(text)), 'ISO date');
