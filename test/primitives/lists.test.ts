import * as fc from 'fast-check';

import { notAmong } from '../../src/primitives/lists';
import { law } from '../support/laws';

describe('notAmong', () => {
  const anyItem = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom('a', 'b', NaN, undefined));

  it(
    'is what the other list does not include, in its order and as often',
    law(fc.tuple(fc.array(anyItem), fc.array(anyItem)), ([items, others]) => {
      expect(notAmong(items, others)).toEqual(items.filter((item) => !others.includes(item)));
    }),
  );
});
