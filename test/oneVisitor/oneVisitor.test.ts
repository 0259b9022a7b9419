import * as fc from 'fast-check';

import { lawOf } from '../support/laws';
import type { Clause } from './clauses';
import { faults } from './faults';
import { play } from './play';
import { sharedCookieFaults, sharedCookieStories } from './sharedCookies';
import { shortest, type Story, story } from './steps';
import { stories } from './stories';

const brokenIn = (told: Story): readonly Clause[] => play(told).violations.map(({ clause }) => clause);

/** A line for `stories.ts`. */
const asLine = (told: Story): string => {
  const clause = brokenIn(told)[0]!;
  return `'who …': ['${clause}', ${fc.stringify(shortest(told, (shorter) => brokenIn(shorter).includes(clause)))}],`;
};

test(
  'One visitor, one answer: in any story, each clause holds',
  lawOf(5000, { quick: 40, paste: (_, [told]) => asLine(told as Story) })(story, (told) =>
    expect(play(told).violations).toEqual([]),
  ),
  3_600_000,
);

describe('One visitor, one answer: of visitors', () => {
  test.each(Object.entries({ ...stories, ...sharedCookieStories }))('%s', (_, [clause, told]) => {
    expect(play(told).violations.filter((found) => found.clause === clause)).toEqual([]);
  });
});

describe('The law sees', () => {
  test.each(Object.entries(faults))('what breaks %s', (clause, [changed, told]) => {
    const { violations } = play(told, changed);
    expect(violations.map((found) => found.clause)).toContain(clause);
  });

  test.each(Object.entries(sharedCookieFaults))('%s', (_, [clause, changed, story]) => {
    const { violations } = play(story, changed);
    expect(violations.map((found) => found.clause)).toContain(clause);
  });
});
