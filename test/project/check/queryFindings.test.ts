import { queryFindings } from '../../../project/check/queryFindings';
import type { Definition, Expr, Pred } from '../../../src/engine/language/language';

const found = (...queries: readonly Definition[]): readonly string[] =>
  queryFindings({ v: 1, id: 'w', seed: 0, queries }).map(
    ({ path, severity, message }) => `${severity} ${path}: ${message}`,
  );
const readers: Definition = { id: 'readers', q: { event: 'Pageview' } };
const view = (where: Pred): Definition => ({ id: '7', q: { event: 'Pageview', where } });
const query = (q: Expr, id = '7'): Definition => ({ id, q });

describe('queryFindings', () => {
  it.each<readonly [string, Pred]>([
    ['a list of one', { p: 'a', in: ['b'] }],
    ['as many as there are', { p: 'a', words: ['b', 'c'], min: 2 }],
    ['one number', { p: 'a', between: [2, 2] }],
    ['a day', { p: 'a', after: '2026-01-01', before: '2026-01-02' }],
    ['hashed texts that are no runs', { p: 'a', in: [5], hashed: true }],
    ['hashed runs with their length', { p: 'a', words: [5], hashed: true, grams: 2 }],
  ])('has nothing to say of %s', (_, where) => {
    expect(found(view(where))).toEqual([]);
  });

  it.each<readonly [string, Pred, string]>([
    [
      'more operands than there are',
      { p: 'a', words: ['b', 'c', 'b'], min: 3 },
      'at least 3 of 2 are asked for, which nobody has',
    ],
    [
      'more than at most',
      {
        match: [
          { p: 'a', is: true },
          { p: 'b', is: true },
          { p: 'c', is: true },
        ],
        min: 3,
        max: 2,
      },
      'at least 3 and at most 2 is true for nobody',
    ],
    ['a range the wrong way round', { p: 'a', between: [2, 1] }, 'between 2 and 1 is true for nobody'],
    [
      'a time that is over before it begins',
      { p: 'a', after: '2026-01-02', before: '2026-01-02' },
      'after 2026-01-02 and before 2026-01-02 is true for nobody',
    ],
    ['hashed runs of unknown length', { p: 'a', words: [5], hashed: true }, 'hashed operands lack `grams`'],
  ])('finds %s, wherever it stands', (_, where, why) => {
    expect(found(view(where))).toEqual([`error queries/7/q/where: ${why}`]);
    expect(found(view({ and: [{ p: 'a', exists: true }, { not: where }] }))).toEqual([
      `error queries/7/q/where/and/1/not: ${why}`,
    ]);
    const sub: Definition = { id: '7', q: { sub: 1 }, sub: [{ event: 'Pageview', where }] };
    expect(found(sub)).toEqual([`error queries/7/sub/0/where: ${why}`]);
  });

  it('finds cohorts that are none, with the id that is alike', () => {
    const why = (id: string): string => `no query has the id ${id}, so that nobody is in that cohort`;
    expect(found(readers, query({ cohort: 'readers' }))).toEqual([]);
    expect(found(readers, query({ cohort: 'raeders' }))).toEqual([`error queries/7/q: ${why('raeders')}`]);
    expect(found(readers, query({ entered: 'buyers' }))).toContain(`error queries/7/q: ${why('buyers')}`);
    expect(found(readers, query({ exited: 'sleepers' }))).toContain(`error queries/7/q: ${why('sleepers')}`);
  });

  it('finds each cohort that depends on itself, also by others', () => {
    const why = 'the cohort depends on itself';
    expect(found(query({ and: [{ event: 'Pageview' }, { cohort: '7' }] }))).toEqual([`error queries/7: ${why}`]);
    const ring = ['a', 'b', 'c'].map((id, i) => query({ and: [{ event: 'Pageview' }, { cohort: 'bca'[i]! }] }, id));
    expect(found(...ring, query({ cohort: 'a' }, 'd'))).toEqual(
      ['a', 'b', 'c'].map((id) => `error queries/${id}: ${why}`),
    );
  });

  it('finds a view that counts twice', () => {
    expect(found(query({ event: ['PageviewEngagement', 'PageviewComplete'] }))).toEqual([
      'warning queries/7: PageviewEngagement and PageviewComplete tell of the same view, which then counts twice',
    ]);
    expect(found(query({ event: 'PageviewComplete' }))).toEqual([]);
  });

  it('finds counts that an edit sets back to nothing', () => {
    const said = (counted: string): readonly string[] => [
      `warning queries/7/q: counts of ${counted} begin at nothing when the condition of this cohort changes`,
    ];
    const week = { days: 7 };
    expect(found(readers, query({ entered: 'readers', within: week }))).toEqual(said('entries'));
    expect(found(readers, query({ exited: 'readers' }))).toEqual(said('exits'));
    expect(found(query({ event: 'PageviewEngagement', is: { gte: 9 }, within: week }))).toEqual(
      said('PageviewEngagement'),
    );
    expect(found(query({ event: 'PageviewEngagement', distinct: '$day', within: week }))).toEqual(
      said('PageviewEngagement'),
    );
    const rebuilt: readonly Expr[] = [
      { event: 'PageviewEngagement', sum: 'engaged_time', is: { gte: 60 }, within: week },
      { event: 'PageviewEngagement', distinct: '$view_id', is: { gte: 3 }, within: week },
      { event: 'PageviewEngagement', is: { gte: 6 }, within: 'session' },
      { event: 'Pageview', is: { gte: 3 }, within: week },
    ];
    for (const q of rebuilt) expect(found(query(q))).toEqual([]);
    expect(found(readers, query({ cohort: 'readers' }))).toEqual([]);
  });

  it('finds cohorts that everybody is in', () => {
    expect(
      found(query({ not: { event: 'Login' } }), query({ lookup: 'geo', where: { p: 'a', nin: [1] } }, '8')),
    ).toEqual(['warning queries/7: a visitor who has done nothing yet is in this cohort']);
  });
});
