import type { Expr, Pred } from '../src/engine/language/language';
import { type Visitor, visitor } from '../src/testing/testing';

// Examples of docs/query-language.md. `scripts/languageReference.ts` runs them and writes what they give.

/** A condition of a cohort: an example, a visitor for whom it holds and one for whom not, in words too; a mistake. */
export interface NodeExample {
  readonly example: Expr;
  readonly holds: readonly [words: string, visitor: Visitor];
  readonly fails: readonly [words: string, visitor: Visitor];
  readonly mistake: object;
}

/** The cohort that examples refer to: three views. */
export const referredCohort = { id: 'fans', q: { event: 'Pageview', is: { gte: 3 }, within: { days: 7 } } } as const;
export const referredSub: Expr = { event: 'Pageview', is: { gte: 2 } };
const model = '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const pages = (n: number): readonly [string, Visitor] => [n === 1 ? 'one view' : `${n} views`, visitor().views(n)];

/** By node, and for `event` by what it counts. */
export const nodeExamples: Readonly<Record<string, NodeExample>> = {
  event: {
    example: { event: 'Pageview', is: { gte: 2 }, within: { days: 7 } },
    holds: pages(2),
    fails: ['2 views, 8 days ago', visitor().views(2).after('8 days')],
    mistake: { event: 'Pageview', is: { gte: 2, lt: 5 } },
  },
  'event, sum': {
    example: { event: 'Buy', sum: 'price', is: { gte: 10 } },
    holds: ['prices of 4 and 6', visitor().event('Buy', { price: 4 }).event('Buy', { price: 6 })],
    fails: ['prices of "15" and 4', visitor().event('Buy', { price: '15' }).event('Buy', { price: 4 })],
    mistake: { event: 'Buy', sum: 'price', distinct: 'product' },
  },
  'event, distinct': {
    example: { event: 'Pageview', distinct: '$view_id', is: { gte: 2 }, within: { days: 7 } },
    holds: pages(2),
    fails: pages(1),
    mistake: { event: 'Pageview', distinct: '$day', within: 'session' },
  },
  sequence: {
    example: { sequence: [{ event: 'Pageview' }, { event: 'LinkClick' }], span: { hours: 1 } },
    holds: ['a view, then a click', visitor().views(1).event('LinkClick')],
    fails: ['a click, then a view', visitor().event('LinkClick').views(1)],
    mistake: { sequence: [{ event: 'Pageview' }] },
  },
  last: {
    example: { last: { event: 'LoginStatus' }, is: { p: 'logged_in', is: true } },
    holds: ['logged in', visitor().event('LoginStatus', { logged_in: true })],
    fails: ['no LoginStatus yet', visitor()],
    mistake: { last: 'LoginStatus', is: { p: 'logged_in', is: true } },
  },
  first: {
    example: { first: { event: 'Pageview' }, is: { p: 'section', eq: 'sport' } },
    holds: ['sport, then arts', visitor().views(1, { section: 'sport' }).views(1, { section: 'arts' })],
    fails: ['arts, then sport', visitor().views(1, { section: 'arts' }).views(1, { section: 'sport' })],
    mistake: { first: { event: 'Pageview' } },
  },
  cohort: {
    example: { cohort: 'fans' },
    holds: pages(3),
    fails: ['3 views, 8 days ago', visitor().views(3).after('8 days')],
    mistake: { cohort: 20101 },
  },
  entered: {
    example: { entered: 'fans', within: { days: 30 } },
    holds: ['3 views, 8 days ago', visitor().views(3).after('8 days')],
    fails: pages(2),
    mistake: { entered: 'fans', within: 'session' },
  },
  exited: {
    example: { exited: 'fans', within: { days: 30 } },
    holds: ['3 views, 8 days ago', visitor().views(3).after('8 days')],
    fails: pages(3),
    mistake: { exited: 'fans', where: { p: 'a', exists: true } },
  },
  lookup: {
    example: { lookup: 'geo', where: { p: 'country', in: ['NO', 'SE'] } },
    holds: ['in Norway', visitor().data({ geo: { country: 'NO' } })],
    fails: ['nothing known', visitor()],
    mistake: { lookup: 'weather', where: { p: 'country', in: ['NO'] } },
  },
  thirdParty: {
    example: { thirdParty: { provider: 'acme', in: ['17', '18'] } },
    holds: ['acme says 18', visitor().data({ thirdParty: { acme: ['18'] } })],
    fails: ['other says 18', visitor().data({ thirdParty: { other: ['18'] } })],
    mistake: { thirdParty: { in: ['17'] } },
  },
  secondParty: {
    example: { secondParty: { provider: 'sister', in: ['17', '18'], min: 2 } },
    holds: ['sister says 17 and 18', visitor().data({ secondParty: { sister: [17, 18] } })],
    fails: ['sister says 17', visitor().data({ secondParty: { sister: [17] } })],
    mistake: { secondParty: { provider: 'sister', in: ['17'], min: 0 } },
  },
  lookalike: {
    example: { lookalike: { model, gte: 0.7 } },
    holds: [
      'a score of 0.73',
      visitor()
        .views(3)
        .data({ models: { [model]: { '1p': { const: 0, fans: 1 } } } }),
    ],
    fails: ['a score of 0.5', visitor().data({ models: { [model]: { '1p': { const: 0, fans: 1 } } } })],
    mistake: { lookalike: { model, gte: 70 } },
  },
  sub: {
    example: { sub: 1 },
    holds: pages(2),
    fails: pages(1),
    mistake: { sub: 0 },
  },
  and: {
    example: { and: [{ event: 'Pageview' }, { event: 'LinkClick' }] },
    holds: ['a view and a click', visitor().views(1).event('LinkClick')],
    fails: pages(1),
    mistake: { and: { event: 'Pageview' } },
  },
  or: {
    example: { or: [{ event: 'Pageview' }, { event: 'LinkClick' }] },
    holds: pages(1),
    fails: ['nothing', visitor()],
    mistake: { or: [] },
  },
  not: {
    example: { not: { cohort: 'fans' } },
    holds: ['nothing', visitor()],
    fails: pages(3),
    mistake: { not: 'fans' },
  },
  match: {
    example: { match: [{ event: 'Pageview' }, { event: 'LinkClick' }, { cohort: 'fans' }], min: 2 },
    holds: pages(3),
    fails: pages(2),
    mistake: { match: [{ event: 'Pageview' }], min: 1.5 },
  },
  const: {
    example: { const: true },
    holds: ['nothing', visitor()],
    fails: ['`{"const": false}`: anybody', visitor()],
    mistake: { const: 1 },
  },
};

/** Names with a dollar, which read the event itself: what they are, and a test of it that holds or fails. */
export const pathExamples: Readonly<
  Record<string, { readonly meaning: string; readonly holds: Pred; readonly fails: Pred }>
> = {
  $name: { meaning: 'name of the event', holds: { p: '$name', eq: 'Buy' }, fails: { p: '$name', eq: 'Sell' } },
  $time: {
    meaning: 'ms since 1970',
    holds: { p: '$time', after: '2026-01-05T12:00:00Z', before: '2026-01-05T12:00:01Z' },
    fails: { p: '$time', before: '2026-01-05T12:00:00Z' },
  },
  $day: { meaning: 'days since 1970, in UTC', holds: { p: '$day', eq: 20458 }, fails: { p: '$day', eq: 5 } },
  $hour: { meaning: '0 to 23, in UTC', holds: { p: '$hour', between: [9, 12] }, fails: { p: '$hour', gte: 13 } },
  $session_id: {
    meaning: 'id of the session',
    holds: { p: '$session_id', exists: true },
    fails: { p: '$session_id', exists: false },
  },
  $view_id: {
    meaning: 'id of the view; there is none where no page has been opened',
    holds: { p: '$view_id', exists: false },
    fails: { p: '$view_id', exists: true },
  },
  'article.keywords': {
    meaning: 'a property of the event; a list on the way or at the end stands for each of its values',
    holds: { p: 'article.keywords', size: { eq: 2 } },
    fails: { p: 'article.keywords.0', exists: true },
  },
};

/** The event that they are tested on. */
export const pathEvent = { article: [{ keywords: 'bonds' }, { keywords: ['shares', null] }] };

/** Short forms, whose defaults the canonical form has. */
export const shortForms: Readonly<Record<string, Expr>> = {
  'a count': { event: 'Pageview' },
  'a window': { event: 'Pageview', within: { weeks: 1 } },
  '`eq` and `neq`': {
    event: 'Pageview',
    where: {
      and: [
        { p: 'a', eq: 'X ' },
        { p: 'b', neq: 7 },
      ],
    },
  },
  '`min` of operands': { event: 'Pageview', where: { p: 'a', in: ['b', 'a', 'B'], min: 1 } },
  '`match`': { match: [{ cohort: '2' }, { cohort: '1' }] },
  'a provider': { thirdParty: { provider: 'acme', in: ['17'] } },
};

const many = (n: number, item: unknown): readonly unknown[] => Array.from({ length: n }, () => item);
const step = { event: 'Pageview' };

/** What is one more than a limit. */
export const beyondLimits: Readonly<Record<string, readonly [limit: string, q: object]>> = {
  'children of a node': ['500', { and: many(501, step) }],
  'operands of a leaf': ['20,000', { ...step, where: { p: 'a', in: many(20_001, 'x') } }],
  'steps of a sequence': ['2 to 8', { sequence: many(9, step) }],
  'nodes that count, in a query': ['31', { and: Array.from({ length: 32 }, (_, i) => ({ event: `E${i}` })) }],
  'a window': ['400 days', { ...step, within: { days: 401 } }],
  'buckets of a window': ['1 to 1000, default 100', { ...step, within: { days: 1 }, buckets: 1001 }],
  '`grams`': ['1 to 8', { ...step, where: { p: 'a', words: [1], hashed: true, grams: 9 } }],
  'a score': ['0 to 1', { lookalike: { model, gte: 1.1 } }],
};
