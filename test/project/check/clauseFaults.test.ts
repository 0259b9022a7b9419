import { queryFindings } from '../../../project/check/queryFindings';
import type { Expr, Pred } from '../../../src/engine/language/language';

const found = (q: Expr): readonly string[] =>
  queryFindings({ v: 1, id: 'w', seed: 0, queries: [{ id: '7', q }] }).map(
    ({ path, severity, message, fix }) => `${severity} ${path}: ${message}; ${fix}`,
  );
const view = (where: Pred): Expr => ({ event: 'Pageview', where });
const views = (is: object): Expr => ({ event: 'Pageview', is, within: { days: 7 } }) as Expr;
const mend = 'leave one of them out, or write what is meant';
const never = `the clauses exclude each other, so that this is true for nobody; ${mend}`;
const always = `one of the clauses always holds, so that this is true for everybody; ${mend}`;

describe('clauses that exclude each other', () => {
  it.each<readonly [string, Pred, string]>([
    [
      'a clause and its negation',
      { and: [{ p: 'a', eq: 1 }, { not: { eq: 1, p: 'a' } }] },
      `error queries/7/q/where: ${never}`,
    ],
    [
      'within another and',
      { and: [{ p: 'a', eq: 1 }, { and: [{ p: 'b', is: true }, { not: { p: 'a', eq: 1 } }] }] },
      `error queries/7/q/where: ${never}`,
    ],
    [
      'in and nin',
      {
        and: [
          { p: 'a', in: ['X'] },
          { p: 'a', nin: ['y', 'x'] },
        ],
      },
      `error queries/7/q/where: ${never}`,
    ],
    [
      'hours',
      {
        and: [
          { p: '$hour', gte: 12 },
          { p: '$hour', lt: 12 },
        ],
      },
      `error queries/7/q/where: ${never}`,
    ],
    [
      'numbers of a property',
      {
        and: [
          { p: 'a', gte: 5 },
          { p: 'a', lt: 5 },
        ],
      },
      `warning queries/7/q/where: no number of a satisfies both comparisons, except in a list of several; ${mend}`,
    ],
    [
      'a value that must be missing',
      {
        and: [
          { p: 'a', exists: false },
          { p: 'a', eq: 1 },
        ],
      },
      `error queries/7/q/where: a must be missing and there, so that this is true for nobody; ${mend}`,
    ],
    [
      'a clause or its negation',
      { or: [{ p: 'a', eq: 1 }, { not: { p: 'a', eq: 1 } }] },
      `error queries/7/q/where: ${always}`,
    ],
    [
      'there or missing',
      {
        or: [
          { p: 'a', exists: true },
          { p: 'a', exists: false },
        ],
      },
      `error queries/7/q/where: ${always}`,
    ],
    [
      'the same twice',
      {
        or: [
          { p: 'a', eq: 1 },
          { eq: 1, p: 'a' },
        ],
      },
      'warning queries/7/q/where: the same clause stands twice; leave one of them out',
    ],
  ])('finds %s', (_, where, finding) => {
    expect(found(view(where))).toEqual([finding]);
  });

  const apart = 'the same is counted twice, and no count satisfies all comparisons; use between, or leave one out';
  const together = `every count satisfies one of the comparisons, so that this is true for everybody; ${mend}`;
  it.each<readonly [string, Expr, readonly string[]]>([
    ['none and one', { and: [views({ eq: 0 }), views({ gte: 1 })] }, [`error queries/7/q: ${apart}`]],
    [
      'none and the default',
      { and: [views({ lt: 1 }), { event: 'Pageview', within: { days: 7 } }] },
      [`error queries/7/q: ${apart}`],
    ],
    ['more than 2 and less than 3', { and: [views({ gt: 2 }), views({ lt: 3 })] }, [`error queries/7/q: ${apart}`]],
    [
      'none or one, which is everybody',
      { or: [views({ eq: 0 }), views({ gte: 1 })] },
      [
        `error queries/7/q: ${together}`,
        'warning queries/7: a visitor who has done nothing yet is in this cohort; add something that the visitor must have done',
      ],
    ],
    ['cohort and not cohort', { and: [{ event: 'A' }, { not: { event: 'A' } }] }, [`error queries/7/q: ${never}`]],
  ])('finds counts: %s', (_, q, findings) => {
    expect(found(q)).toEqual(findings);
  });

  it.each<readonly [string, Expr]>([
    ['a range in two halves', { and: [views({ gte: 2 }), views({ lte: 2 })] }],
    ['other windows', { and: [views({ gte: 1 }), { event: 'Pageview', is: { gte: 9 } }] }],
    ['counts apart in or', { or: [views({ eq: 1 }), views({ gte: 3 })] }],
    [
      'two words of a list',
      view({
        and: [
          { p: 'a', in: ['x'] },
          { p: 'a', in: ['y'] },
        ],
      }),
    ],
    [
      'in without one that is not',
      view({
        and: [
          { p: 'a', in: ['x', 'y'] },
          { p: 'a', nin: ['y'] },
        ],
      }),
    ],
    [
      'a missing value that has no elements',
      view({
        and: [
          { p: 'a', exists: false },
          { p: 'a', none: { p: 'b', is: true } },
        ],
      }),
    ],
    [
      'sums',
      {
        and: [
          { event: 'A', sum: 'n', is: { gt: 0 } },
          { event: 'A', sum: 'n', is: { lt: 1 } },
        ],
      },
    ],
  ])('has nothing to say of %s', (_, q) => {
    expect(found(q)).toEqual([]);
  });
});

describe('operands and bounds', () => {
  it.each<readonly [Pred, string]>([
    [{ p: 'a', contains: ['x', ' '] }, 'an empty text is in every text; leave it out of the list'],
    [{ p: 'a', words: ['…'] }, '"…" has no word, so that it is never met; write letters or digits'],
    [
      { p: 'a', domain: ['https://news.example/x'] },
      '"https://news.example/x" is no host, so that it is never met; write news.example',
    ],
  ])('finds %j', (where, finding) => {
    expect(found(view(where))).toEqual([`error queries/7/q/where: ${finding}`]);
  });

  it('finds grams without hashes, and takes what is right', () => {
    expect(found(view({ p: 'a', words: ['x'], grams: 2 }))).toEqual([
      'warning queries/7/q/where: grams has no effect, because the operands are no hashes; leave it out, or write hashed: true',
    ]);
    for (const where of [
      { p: 'completion', gte: 0.5 },
      { p: '$hour', lt: 6 },
      { p: 'a', domain: ['news.example'] },
    ])
      expect(found(view(where as Pred))).toEqual([]);
  });
});
