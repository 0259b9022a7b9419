import * as fc from 'fast-check';

import { changedParts } from '../../project/changedParts';
import { law } from '../support/laws';

describe('The changed parts of a condition', () => {
  const view = { event: 'Pageview', is: { gte: 3 }, within: { days: 7 } };
  it.each([
    ['a value', view, { ...view, is: { gte: 6 } }, 'is/gte: 3 → 6'],
    ['an operator', view, { ...view, is: { lt: 3 } }, 'is: {"gte":3} → {"lt":3}'],
    ['what is new', { event: 'A' }, { event: 'A', within: 'session' }, 'within: new, "session"'],
    ['what is gone', view, { event: 'Pageview', is: { gte: 3 } }, 'within: gone'],
    ['a clause of a list', { and: [view] }, { and: [view, { event: 'B' }] }, 'and/1: new, {"event":"B"}'],
    [
      'another construct',
      { and: [view] },
      { event: 'A' },
      `${`{"and":[${JSON.stringify(view)}]}`.slice(0, 60)}… → {"event":"A"}`,
    ],
    ['what is called as an inherited member', { A: 1 }, { A: 1, toString: 2 }, 'toString: new, 2'],
    ['a list for one', { event: 'A' }, { event: ['A', 'B'] }, 'event: "A" → ["A","B"]'],
    ['more than three', [1, 2, 3, 4, 5], [2, 3, 4, 5, 6], '0: 1 → 2, 1: 2 → 3, 2: 3 → 4, 2 more'],
  ])('are named: %s', (_, before, after, words) => {
    expect(changedParts(before, after)).toBe(words);
  });

  it(
    'are none where nothing has changed, and some where something has',
    law(fc.tuple(fc.jsonValue(), fc.jsonValue()), ([before, after]) => {
      expect(changedParts(before, before)).toBe('');
      expect(changedParts(before, after) === '').toBe(JSON.stringify(before) === JSON.stringify(after));
    }),
  );
});
