import fc from 'fast-check';

import { cohortSizes, later, type Latest, latestOf } from '../../../demo/cohortSizes/latest';
import { lawOf } from '../../support/laws';
import { event } from '../api/support/client';

/** Few times and ids, so that many are equal. */
const latest: fc.Arbitrary<Latest> = fc.record({
  time: fc.integer({ min: 0, max: 3 }),
  event: fc.constantFrom('a', 'b', 'c'),
  cohorts: fc.array(fc.constantFrom('1', '2', '3'), { maxLength: 3 }),
  group: fc.constantFrom('control' as const, 'exposed' as const),
});

describe('the latest event of a user', () => {
  it(
    'is the same in whatever order, and however often, the events come',
    lawOf(100)(fc.array(latest, { minLength: 1, maxLength: 8 }), fc.infiniteStream(fc.nat()), (events, numbers) => {
      const draw = (count: number): number => (numbers.next().value as number) % count;
      const repeated = [...events, ...events.filter(() => draw(2) === 0)];
      const shuffled = repeated
        .map((each) => [draw(1000), each] as const)
        .sort(([a], [b]) => a - b)
        .map(([, each]) => each);
      expect(shuffled.reduce(later)).toEqual(events.reduce(later));
    }),
  );

  it(
    'is one of the latest time',
    lawOf(100)(fc.array(latest, { minLength: 1 }), (events) => {
      const found = events.reduce(later);
      expect(events).toContain(found);
      expect(found.time).toBe(Math.max(...events.map(({ time }) => time)));
    }),
  );

  it('is none whose time cannot be read', () => {
    expect(latestOf(event('a', { time: 'yesterday' }))).toBeUndefined();
    expect(latestOf(event('a', { cohorts: ['1', 'x'] }))).toEqual({
      time: Date.UTC(2026, 0, 1),
      event: 'a',
      cohorts: ['1', 'x'],
    });
    expect(latestOf(event('a', { experiment_group: 'control' }))).toMatchObject({ group: 'control' });
  });
});

describe('the size of a cohort', () => {
  it('is the number of users who have it', () => {
    const user = (...cohorts: readonly string[]): Latest => ({ time: 0, event: 'a', cohorts });
    expect(cohortSizes([user('1', '2'), user('2', '2'), user()])).toEqual({ users: 3, cohorts: { '1': 1, '2': 2 } });
    expect(cohortSizes([])).toEqual({ users: 0, cohorts: {} });
  });

  it('is said of both groups where there is an experiment', () => {
    const users: readonly Latest[] = [
      { time: 0, event: 'a', cohorts: ['1', '2'], group: 'exposed' },
      { time: 0, event: 'b', cohorts: ['2'], group: 'exposed' },
      // Was not seen since the experiment began.
      { time: 0, event: 'c', cohorts: ['2'] },
    ];
    expect(cohortSizes(users)).toEqual({
      users: 3,
      cohorts: { '1': 1, '2': 3 },
      groups: { control: { users: 0, cohorts: {} }, exposed: { users: 2, cohorts: { '1': 1, '2': 2 } } },
    });
  });
});
