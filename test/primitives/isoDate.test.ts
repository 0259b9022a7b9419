import * as fc from 'fast-check';

import { isoText } from '../../src/primitives/isoDate';
import { law } from '../support/laws';

/** The last moment that a date can have, in ms since 1970. */
const latest = 8.64e15;
const isAsTheBrowserWrites = (ms: number): void => expect(isoText(ms)).toBe(new Date(ms).toISOString());

describe('isoText', () => {
  it('writes what `toISOString` writes', law(fc.integer({ min: -latest, max: latest }), isAsTheBrowserWrites));

  it.each([0, -1, 253_402_300_799_999, 253_402_300_800_000, -62_167_219_200_000, -62_167_219_200_001, latest, -latest])(
    'writes %d ms as `toISOString` does',
    isAsTheBrowserWrites,
  );
});
