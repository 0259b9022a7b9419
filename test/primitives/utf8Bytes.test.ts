import * as fc from 'fast-check';

import { utf8Bytes } from '../../src/primitives/utf8Bytes';
import { law } from '../support/laws';

const anyText = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));

describe('utf8Bytes', () => {
  it.each([
    ['', 0],
    ['abc\u0000\u007f', 5],
    ['é', 2],
    ['€', 3],
    ['😀', 4],
    ['a\ud800b', 5],
  ])('of %j', (text, bytes) => {
    expect(utf8Bytes(text)).toBe(bytes);
  });

  it(
    'is what an encoder makes of the text',
    law(anyText, (text) => {
      expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length);
    }),
  );
});
