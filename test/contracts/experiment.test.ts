import { createHash } from 'node:crypto';
import * as fc from 'fast-check';

import { experimentOf, noExperiment } from '../../src/contracts/experiment';
import { uuid } from '../../src/fakePlatform/countedIds';
import type { ControlGroup } from '../../src/model/project';
import { visitorId } from '../support/events';
import { law, lawOf } from '../support/laws';

const percent = fc.double({ min: 0, max: 100, noNaN: true });

/** How many of these users are in the control group. */
const controlled = (ids: readonly string[], controlGroup: ControlGroup): number => {
  const { groupOf } = experimentOf(controlGroup);
  return ids.filter((user) => groupOf(user) === 'control').length;
};

/** A text that looks random, and is the same in each run. */
const scrambled = (n: number): string => createHash('md5').update(String(n)).digest('hex');

/** Ids that look as browsers make them, and ids that differ in their last digits alone. */
const users = {
  scrambled: Array.from({ length: 100_000 }, (_, n) =>
    scrambled(n).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  ),
  counted: Array.from({ length: 100_000 }, (_, n) => uuid(n)),
};

describe('the group of a visitor', () => {
  it('is that of none without an experiment', () => {
    expect(noExperiment.groupOf(visitorId)).toBeUndefined();
  });

  it(
    'stays the same, and a visitor of the control group stays there when its share grows',
    law(fc.uuid(), fc.string(), percent, percent, (user, salt, one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      const groupAt = (share: number) => experimentOf({ percent: share, salt }).groupOf(user);
      expect(groupAt(one)).toBe(groupAt(one));
      if (groupAt(less) === 'control') expect(groupAt(more)).toBe('control');
    }),
  );

  it(
    'is exposed for all at 0 percent, and control for all at 100',
    law(fc.uuid(), fc.string(), (user, salt) => {
      expect(experimentOf({ percent: 0, salt }).groupOf(user)).toBe('exposed');
      expect(experimentOf({ percent: 100, salt }).groupOf(user)).toBe('control');
    }),
  );

  it(
    'is control for as many of 100,000 visitors as the share says, within five standard deviations',
    lawOf(20, { quick: 2 })(
      fc.string(),
      fc.constantFrom(0.5, 1, 5, 10, 50, 95),
      fc.constantFrom('scrambled' as const, 'counted' as const),
      (salt, share, ids) => {
        const expected = (100_000 * share) / 100;
        const deviation = Math.sqrt(expected * (1 - share / 100));
        const found = controlled(users[ids], { percent: share, salt });
        expect(Math.abs(found - expected)).toBeLessThan(5 * deviation);
      },
    ),
  );

  it('is drawn anew with another salt', () => {
    const ofFirst = users.counted.filter(
      (user) => experimentOf({ percent: 10, salt: 'spring' }).groupOf(user) === 'control',
    );
    // A tenth of a tenth would be in both by chance: 1,000, give or take five standard deviations.
    expect(Math.abs(controlled(ofFirst, { percent: 10, salt: 'autumn' }) - 1000)).toBeLessThan(160);
  });
});

describe('the group with which an experiment is about a cohort', () => {
  const share = { percent: 100, salt: '' };
  it.each([
    ['is that of the visitor where the experiment is about all', experimentOf(share), 'control'],
    ['is that of the visitor where it is about the cohort', experimentOf({ ...share, cohorts: ['7'] }), 'control'],
    ['is none without an experiment', noExperiment, undefined],
    ['is none where the experiment is about others', experimentOf({ ...share, cohorts: ['8'] }), undefined],
    ['is none where it is about no cohort', experimentOf({ ...share, cohorts: [] }), undefined],
  ])('%s', (_, { groupOf }, group) => {
    expect(groupOf(visitorId, '7')).toBe(group);
  });
});
