import * as fc from 'fast-check';

import { type ContextCriteria, meets } from '../../src/model/contextCriteria';
import { law } from '../support/laws';

const context = { url: 'https://site.example/markets', type: 'web', count: 3, none: null };
const test = (
  key: string,
  comparison: ContextCriteria['criteria'][number]['comparison'],
  value: string | number | boolean,
) => ({ key, comparison, value });
const one = (...of: Parameters<typeof test>): boolean => meets({ operator: 'AND', criteria: [test(...of)] }, context);

describe('context criteria', () => {
  it.each([
    ['type', 'EQUALS', 'web', true],
    ['type', 'EQUALS', 'we', false],
    ['count', 'EQUALS', 3, true],
    ['count', 'EQUALS', '3', false],
    ['missing', 'EQUALS', 'web', false],
    ['type', 'NOT_EQUALS', 'web', false],
    ['type', 'NOT_EQUALS', 'amp', true],
    ['missing', 'NOT_EQUALS', 'web', true],
    ['url', 'CONTAINS', '/markets', true],
    ['url', 'CONTAINS', '/MARKETS', false],
    ['url', 'NOT_CONTAINS', '/subscribe', true],
    ['url', 'NOT_CONTAINS', '/markets', false],
  ] as const)('%s %s %p: %p', (key, comparison, value, expected) => {
    expect(one(key, comparison, value)).toBe(expected);
  });

  it.each(['CONTAINS', 'NOT_CONTAINS'] as const)('%s holds for text only', (comparison) => {
    expect([
      one('count', comparison, '4'),
      one('none', comparison, 'x'),
      one('missing', comparison, 'x'),
      one('url', comparison, 4),
    ]).toEqual([false, false, false, false]);
  });

  it('reads own fields only', () => {
    expect(one('toString', 'NOT_EQUALS', 'x')).toBe(true);
    expect(
      meets(
        { operator: 'AND', criteria: [test('url', 'EQUALS', 'x')] },
        Object.create({ url: 'x' }) as Record<string, unknown>,
      ),
    ).toBe(false);
  });

  it('apply where there are none', () => {
    expect([meets({ operator: 'AND', criteria: [] }, {}), meets({ operator: 'OR', criteria: [] }, {})]).toEqual([
      true,
      true,
    ]);
  });

  const anyTest = fc.tuple(
    fc.constantFrom('url', 'type', 'count', 'missing'),
    fc.constantFrom('EQUALS', 'NOT_EQUALS', 'CONTAINS', 'NOT_CONTAINS'),
    fc.constantFrom<string | number>('web', 'site', 3),
  );
  it(
    'AND needs all, OR any',
    law(fc.array(anyTest, { minLength: 1, maxLength: 5 }), (tests) => {
      const criteria = tests.map(([key, comparison, value]) => test(key, comparison, value));
      const each = criteria.map((criterion) => meets({ operator: 'AND', criteria: [criterion] }, context));
      expect(meets({ operator: 'AND', criteria }, context)).toBe(each.every(Boolean));
      expect(meets({ operator: 'OR', criteria }, context)).toBe(each.some(Boolean));
    }),
  );
});
