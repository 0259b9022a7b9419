import { queryWarnings } from '../../scripts/queryWarnings';
import type { Definition, Expr, Pred } from '../../src/engine/language/language';

const warned = (...queries: readonly Definition[]): readonly string[] =>
  queryWarnings({ v: 1, id: 'w', seed: 0, queries }).map(({ path, why }) => `${path}: ${why}`);
const readers: Definition = { id: 'readers', q: { event: 'Pageview' } };
const view = (where: Pred): Definition => ({ id: '7', q: { event: 'Pageview', where } });
const query = (q: Expr, id = '7'): Definition => ({ id, q });

describe('queryWarnings', () => {
  it.each<readonly [string, Pred]>([
    ['a list of one', { p: 'a', in: ['b'] }],
    ['as many as there are', { p: 'a', words: ['b', 'c'], min: 2 }],
    ['one number', { p: 'a', between: [2, 2] }],
    ['a day', { p: 'a', after: '2026-01-01', before: '2026-01-02' }],
    ['hashed texts that are no runs', { p: 'a', in: [5], hashed: true }],
    ['hashed runs with their length', { p: 'a', words: [5], hashed: true, grams: 2 }],
  ])('has nothing to say of %s', (_, where) => {
    expect(warned(view(where))).toEqual([]);
  });

  it.each<readonly [string, Pred, string]>([
    ['an empty list', { p: 'a', in: [] }, 'the list is empty: the test holds for nobody'],
    ['an empty list of what is left out', { p: 'a', nin: [] }, 'the list is empty: the test excludes nothing'],
    [
      'more operands than there are',
      { p: 'a', words: ['b', 'c', 'b'], min: 3 },
      'at least 3 of 2 operands are asked for, which nobody has',
    ],
    ['more than at most', { match: [], min: 3, max: 2 }, 'at least 3 and at most 2 is true for nobody'],
    [
      'a range the wrong way round',
      { p: 'a', between: [2, 1] },
      'between 2 and 1 is true for nobody: write the smaller number first',
    ],
    [
      'a time that is over before it begins',
      { p: 'a', after: '2026-01-02', before: '2026-01-02' },
      'after 2026-01-02 and before 2026-01-02 is true for nobody',
    ],
    [
      'hashed runs of unknown length',
      { p: 'a', words: [5], hashed: true },
      'hashed operands need `grams`, the number of words or segments of the longest one: without it, one is taken',
    ],
  ])('warns of %s, wherever it stands', (_, where, why) => {
    expect(warned(view(where))).toEqual([`queries/7/q/where: ${why}`]);
    expect(warned(view({ and: [{ p: 'a', exists: true }, { not: where }] }))).toEqual([
      `queries/7/q/where/and/1/not: ${why}`,
    ]);
    const sub: Definition = { id: '7', q: { sub: 1 }, sub: [{ event: 'Pageview', where }] };
    expect(warned(sub)).toEqual([`queries/7/sub/0/where: ${why}`]);
  });

  it('warns of cohorts that are none, with the id that is alike', () => {
    const why = (id: string): string => `no query has the id ${id}, so that nobody is in that cohort`;
    expect(warned(readers, query({ cohort: 'readers' }))).toEqual([]);
    expect(warned(readers, query({ cohort: 'raeders' }))).toEqual([
      `queries/7/q: ${why('raeders')}; readers is meant, perhaps`,
    ]);
    expect(warned(readers, query({ entered: 'buyers' }))).toEqual([`queries/7/q: ${why('buyers')}`]);
    expect(warned(readers, query({ exited: 'sleepers' }))).toEqual([`queries/7/q: ${why('sleepers')}`]);
  });

  it('warns of each cohort that depends on itself, also by others', () => {
    const why = 'the cohort depends on itself';
    expect(warned(query({ and: [{ event: 'Pageview' }, { cohort: '7' }] }))).toEqual([`queries/7: ${why}`]);
    const ring = ['a', 'b', 'c'].map((id, i) => query({ and: [{ event: 'Pageview' }, { cohort: 'bca'[i]! }] }, id));
    expect(warned(...ring, query({ cohort: 'a' }, 'd'))).toEqual(['a', 'b', 'c'].map((id) => `queries/${id}: ${why}`));
  });

  it('warns of a view that counts twice', () => {
    expect(warned(query({ event: ['PageviewEngagement', 'PageviewComplete'] }))).toEqual([
      'queries/7: PageviewEngagement and PageviewComplete tell of the same view, which then counts twice',
    ]);
    expect(warned(query({ event: 'PageviewComplete' }))).toEqual([]);
  });

  it('warns of cohorts that everybody is in', () => {
    expect(
      warned(query({ not: { event: 'Login' } }), query({ lookup: 'geo', where: { p: 'a', nin: [1] } }, '8')),
    ).toEqual(['queries/7: a visitor who has done nothing yet is in this cohort']);
  });
});
