import { TCString } from '@iabtechlabtcf/core';
import { array, assert, integer, property, string, uniqueArray } from 'fast-check';

import { disclosedVendors } from '../../../src/streams/visitor/disclosedVendors';
import { tcStringOf } from '../../support/tcString';

/** The ids up to `highest` that a string discloses. */
const idsIn = (tcString: string, highest = 500): readonly number[] | undefined => {
  const isDisclosed = disclosedVendors(tcString);
  return isDisclosed && Array.from({ length: highest }, (_, i) => i + 1).filter(isDisclosed);
};

describe('disclosedVendors', () => {
  it('are unknown for a string without the segment, and none for one with an empty segment', () => {
    expect(disclosedVendors(tcStringOf({ vendors: [21] }))).toBeUndefined();
    expect(disclosedVendors('')).toBeUndefined();
    expect(idsIn(tcStringOf({ vendors: [21], disclosed: [] }))).toEqual([]);
  });

  it.each<readonly [what: string, ids: readonly number[]]>([
    ['the first', [1]],
    ['the last of a bit field and the first of the next character', [5, 6, 7, 12, 13]],
    ['all of a list', Array.from({ length: 1500 }, (_, i) => i + 1)],
    ['one that stands alone, far off', [2000]],
    ['the last of all', [65_535]],
    ['ranges and single ones', [3, 4, 5, 900, 1200, 1201, 2050]],
  ])('are %s', (_, ids) => {
    expect(idsIn(tcStringOf({ disclosed: ids }), 65_536)).toEqual(ids);
  });

  it('are those that the library of the IAB has written, in whichever of its two encodings', () => {
    const encodings = new Set<string>();
    assert(
      property(
        uniqueArray(integer({ min: 1, max: 500 }), { maxLength: 60 }),
        array(integer({ min: 1, max: 460 }), { maxLength: 2 }),
        (single, starts) => {
          const ids = [...single, ...starts.flatMap((start) => Array.from({ length: 40 }, (_, i) => start + i))];
          const encoded = tcStringOf({ disclosed: ids });
          encodings.add(isRangeEncoded(encoded) ? 'ranges' : 'bits');
          expect(idsIn(encoded)).toEqual(
            [...TCString.decode(encoded).vendorsDisclosed].flatMap(([id, has]) => (has ? [id] : [])),
          );
        },
      ),
    );
    expect([...encodings].sort()).toEqual(['bits', 'ranges']);
  });

  it('reads only that segment, wherever it stands', () => {
    const [core, disclosure, publisher] = tcStringOf({ disclosed: [21, 32] }).split('.');
    for (const segments of [
      [core, publisher, disclosure],
      [core, disclosure],
      [core, 'QAqg', disclosure, publisher],
    ])
      expect(idsIn(segments.join('.'))).toEqual([21, 32]);
    // A core segment that begins like one of disclosed vendors is none.
    expect(disclosedVendors(`I${core}`)).toBeUndefined();
  });

  it('answers for any text, and discloses nobody by what is cut off', () => {
    const encoded = tcStringOf({ disclosed: [21, 32, 400] });
    assert(
      property(integer({ min: 0, max: encoded.length }), string(), (length, more) => {
        const whole = new Set(idsIn(encoded));
        const cut = idsIn(encoded.slice(0, length)) ?? [];
        expect(cut.filter((id) => !whole.has(id))).toEqual([]);
        expect(() => idsIn(`${encoded.slice(0, length)}${more}`, 50)).not.toThrow();
      }),
    );
    expect(idsIn('C.I')).toEqual([]);
    expect(idsIn('C.P!')).toEqual([]);
    for (const id of [0, 401, 70_000]) expect(disclosedVendors(encoded)?.(id)).toBe(false);
  });
});

/** The bit after the highest id says how the segment is encoded. */
const isRangeEncoded = (tcString: string): boolean => {
  const base64Url = tcString.split('.')[1] ?? '';
  return ((Buffer.from(base64Url, 'base64url')[2] ?? 0) & 0b0001_0000) !== 0;
};
