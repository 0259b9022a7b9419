import type { Expr, Pred } from '../src/engine/language/language';
import { type Visitor, visitor } from '../src/testing/testing';

// Examples of docs/query-language.md. `scripts/languageReference.ts` runs them and writes what they give.

/** A test of a value: an example, properties for which it holds, others for which it does not, and a mistake. */
export interface OperatorExample {
  readonly meaning: string;
  readonly example: Pred;
  readonly holds: object;
  readonly fails: object;
  readonly mistake: object;
}

const seen = { p: 'form', exists: true } as const;

/** By operator. */
export const operatorExamples: Readonly<Record<string, OperatorExample>> = {
  in: {
    meaning: 'the text of a value is an operand',
    example: { p: 'article.keywords', in: ['Bonds', 'shares'] },
    holds: { article: { keywords: ['arts', 'bonds'] } },
    fails: { article: { keywords: ['bond'] } },
    mistake: { p: 'article.keywords', in: [] },
  },
  nin: {
    meaning: 'there is a value, and the text of none is an operand',
    example: { p: 'section', nin: ['arts'] },
    holds: { section: 'sport' },
    fails: {},
    mistake: { p: 'section', nin: 'arts' },
  },
  eq: {
    meaning: '`in` with one operand; numbers are compared as text',
    example: { p: 'issue', eq: 123 },
    holds: { issue: '123' },
    fails: { issue: true },
    mistake: { p: 'issue', eq: true },
  },
  neq: {
    meaning: '`nin` with one operand',
    example: { p: 'section', neq: 'arts' },
    holds: { section: 'sport' },
    fails: { section: ['sport', 'Arts'] },
    mistake: { section: 'sport', neq: 'arts' },
  },
  contains: {
    meaning: 'the text of a value contains an operand',
    example: { p: 'title', contains: ['win'] },
    holds: { title: 'Winter' },
    fails: { title: 'Summer' },
    mistake: { p: 'title', contains: [7] },
  },
  startsWith: {
    meaning: 'the text of a value begins with an operand',
    example: { p: 'form.name', startsWith: ['newsletter'] },
    holds: { form: { name: 'Newsletter of arts' } },
    fails: { form: { name: 'Our newsletter' } },
    mistake: { p: 'form.name', startsWith: ['a'], hashed: true },
  },
  endsWith: {
    meaning: 'the text of a value ends with an operand',
    example: { p: 'file', endsWith: ['.pdf'] },
    holds: { file: 'report.PDF' },
    fails: { file: 'report.pdf.txt' },
    mistake: { p: 'file', endsWith: '.pdf' },
  },
  words: {
    meaning: 'an operand is a run of whole words of the text',
    example: { p: 'title', words: ['heat pump'] },
    holds: { title: 'Heat-pump, the sequel' },
    fails: { title: 'heat pumps' },
    mistake: { p: 'title', words: ['heat pump'], grams: 9 },
  },
  under: {
    meaning: 'an operand is the path or a path above it, by whole names between slashes',
    example: { p: 'topics', under: ['money/savings'] },
    holds: { topics: ['Money/Savings/Rates'] },
    fails: { topics: ['money/savings-rates'] },
    mistake: { p: 'topics', under: { topic: 'money' } },
  },
  urlPath: {
    meaning: 'an operand is a run of segments of the path of an address',
    example: { p: 'url', urlPath: ['markets/stocks'] },
    holds: { url: 'https://site.example/us/markets/stocks/a?b=c' },
    fails: { url: 'https://site.example/markets-stocks' },
    mistake: { p: 'url', urlPath: ['markets'], hashed: true },
  },
  domain: {
    meaning: 'an operand is the host of an address or a domain above it',
    example: { p: 'referrer', domain: ['search.example'] },
    holds: { referrer: 'https://www.search.example:8080/?q=a' },
    fails: { referrer: 'https://search.example.org/' },
    mistake: { p: 'referrer', domain: [null] },
  },
  gte: {
    meaning: 'some number is at least this',
    example: { p: 'price', gte: 10 },
    holds: { price: [3, 10] },
    fails: { price: '10' },
    mistake: { p: 'price', gte: '10' },
  },
  gt: {
    meaning: 'some number is more than this',
    example: { p: 'price', gt: 10 },
    holds: { price: 10.5 },
    fails: { price: 10 },
    mistake: { p: 'price', gt: 10, min: 2 },
  },
  lte: {
    meaning: 'some number is at most this',
    example: { p: 'price', lte: 10 },
    holds: { price: 10 },
    fails: { price: 11 },
    mistake: { p: 'price', lte: null },
  },
  lt: {
    meaning: 'some number is less than this',
    example: { p: 'price', lt: 10 },
    holds: { price: 9.9 },
    fails: {},
    mistake: { lt: 10 },
  },
  between: {
    meaning: 'some number is in the range, both ends included',
    example: { p: 'price', between: [10, 20] },
    holds: { price: 20 },
    fails: { price: 21 },
    mistake: { p: 'price', between: [10] },
  },
  after: {
    meaning: 'some time, as ISO text or ms, is this date or later',
    example: { p: 'published', after: '2026-01-01' },
    holds: { published: '2026-01-01T00:00:00Z' },
    fails: { published: '2025-12-31T23:59:59Z' },
    mistake: { p: 'published', after: 'last year' },
  },
  before: {
    meaning: 'some time is earlier than this date; `after` may stand beside it',
    example: { p: 'published', after: '2026-01-01', before: '2026-02-01' },
    holds: { published: '2026-01-31T23:00:00Z' },
    fails: { published: '2026-02-01T00:00:00Z' },
    mistake: { p: 'published', before: '2026-02-31x' },
  },
  exists: {
    meaning: 'there is a value, or with `false` none',
    example: { p: 'author', exists: false },
    holds: { author: null },
    fails: { author: '' },
    mistake: { p: 'author', exists: 'no' },
  },
  is: {
    meaning: 'some value is exactly this flag',
    example: { p: 'logged_in', is: true },
    holds: { logged_in: true },
    fails: { logged_in: 'true' },
    mistake: { p: 'logged_in', is: 'true' },
  },
  size: {
    meaning: 'the number of values, 0 where there are none',
    example: { p: 'authors', size: { gte: 2 } },
    holds: { authors: ['A', 'B'] },
    fails: { authors: 'A' },
    mistake: { p: 'authors', size: 2 },
  },
  any: {
    meaning: 'some object of a list satisfies the predicate; `min` and `max` count them',
    example: {
      p: 'labels',
      any: {
        and: [
          { p: 'name', eq: 'sport' },
          { p: 'score', gte: 0.7 },
        ],
      },
    },
    holds: { labels: [{ name: 'sport', score: 0.8 }] },
    fails: {
      labels: [
        { name: 'sport', score: 0.1 },
        { name: 'arts', score: 0.9 },
      ],
    },
    mistake: { p: 'labels', any: [] },
  },
  all: {
    meaning: 'the list has an object, and each satisfies the predicate',
    example: { p: 'labels', all: { p: 'score', gte: 0.5 } },
    holds: { labels: [{ score: 0.5 }, { score: 0.6 }] },
    fails: { labels: [] },
    mistake: { p: 'labels', all: { score: 0.5 } },
  },
  none: {
    meaning: 'no object of the list satisfies the predicate',
    example: { p: 'labels', none: { p: 'score', gte: 0.5 } },
    holds: {},
    fails: { labels: [{ score: 0.1 }, { score: 0.5 }] },
    mistake: { p: 'labels', none: { p: 'score', gte: 'high' } },
  },
  and: {
    meaning: 'all hold',
    example: { and: [seen, { p: 'price', gt: 0 }] },
    holds: { form: 'a', price: 1 },
    fails: { form: 'a' },
    mistake: { and: [] },
  },
  or: {
    meaning: 'one holds at least',
    example: { or: [seen, { p: 'price', gt: 0 }] },
    holds: { price: 1 },
    fails: { price: 0 },
    mistake: { or: [seen], and: [seen] },
  },
  not: {
    meaning: 'it does not hold; a value that is missing is enough',
    example: { not: { p: 'section', eq: 'arts' } },
    holds: {},
    fails: { section: 'arts' },
    mistake: { not: [seen] },
  },
  match: {
    meaning: 'from `min` (1) to `max` of them hold',
    example: { match: [seen, { p: 'price', gt: 0 }, { p: 'author', exists: true }], min: 2 },
    holds: { form: 'a', author: 'B' },
    fails: { form: 'a' },
    mistake: { match: [seen], min: -1 },
  },
};

/** A condition of a cohort: an example, a visitor for whom it holds and one for whom not, in words too; a mistake. */
export interface NodeExample {
  readonly meaning: string;
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
    meaning: 'how often events of a name, or of one of several names, happened',
    example: { event: 'Pageview', is: { gte: 2 }, within: { days: 7 } },
    holds: pages(2),
    fails: ['2 views, 8 days ago', visitor().views(2).after('8 days')],
    mistake: { event: 'Pageview', is: { gte: 2, lt: 5 } },
  },
  'event, sum': {
    meaning: 'adds up the positive numbers at a path, to thousandths',
    example: { event: 'Buy', sum: 'price', is: { gte: 10 } },
    holds: ['prices of 4 and 6', visitor().event('Buy', { price: 4 }).event('Buy', { price: 6 })],
    fails: ['prices of "15" and 4', visitor().event('Buy', { price: '15' }).event('Buy', { price: 4 })],
    mistake: { event: 'Buy', sum: 'price', distinct: 'product' },
  },
  'event, distinct': {
    meaning: 'counts the different values at a path',
    example: { event: 'Pageview', distinct: '$view_id', is: { gte: 2 }, within: { days: 7 } },
    holds: pages(2),
    fails: pages(1),
    mistake: { event: 'Pageview', distinct: '$day', within: 'session' },
  },
  sequence: {
    meaning: 'how often 2 to 8 steps happened in this order in one browser, within `span`',
    example: { sequence: [{ event: 'Pageview' }, { event: 'LinkClick' }], span: { hours: 1 } },
    holds: ['a view, then a click', visitor().views(1).event('LinkClick')],
    fails: ['a click, then a view', visitor().event('LinkClick').views(1)],
    mistake: { sequence: [{ event: 'Pageview' }] },
  },
  last: {
    meaning: 'the latest event satisfies the predicate `is`',
    example: { last: { event: 'LoginStatus' }, is: { p: 'logged_in', is: true } },
    holds: ['logged in', visitor().event('LoginStatus', { logged_in: true })],
    fails: ['no LoginStatus yet', visitor()],
    mistake: { last: 'LoginStatus', is: { p: 'logged_in', is: true } },
  },
  first: {
    meaning: 'the earliest event satisfies the predicate `is`',
    example: { first: { event: 'Pageview' }, is: { p: 'section', eq: 'sport' } },
    holds: ['sport, then arts', visitor().views(1, { section: 'sport' }).views(1, { section: 'arts' })],
    fails: ['arts, then sport', visitor().views(1, { section: 'arts' }).views(1, { section: 'sport' })],
    mistake: { first: { event: 'Pageview' } },
  },
  cohort: {
    meaning: 'the visitor is in a cohort at this moment',
    example: { cohort: 'fans' },
    holds: pages(3),
    fails: ['3 views, 8 days ago', visitor().views(3).after('8 days')],
    mistake: { cohort: 20101 },
  },
  entered: {
    meaning: 'how often the visitor has entered a cohort',
    example: { entered: 'fans', within: { days: 30 } },
    holds: ['3 views, 8 days ago', visitor().views(3).after('8 days')],
    fails: pages(2),
    mistake: { entered: 'fans', within: 'session' },
  },
  exited: {
    meaning: 'how often the visitor has left a cohort',
    example: { exited: 'fans', within: { days: 30 } },
    holds: ['3 views, 8 days ago', visitor().views(3).after('8 days')],
    fails: pages(3),
    mistake: { exited: 'fans', where: { p: 'a', exists: true } },
  },
  lookup: {
    meaning: 'data of the page or the visitor satisfies a predicate',
    example: { lookup: 'geo', where: { p: 'country', in: ['NO', 'SE'] } },
    holds: ['in Norway', visitor().data({ geo: { country: 'NO' } })],
    fails: ['nothing known', visitor()],
    mistake: { lookup: 'weather', where: { p: 'country', in: ['NO'] } },
  },
  thirdParty: {
    meaning: 'a provider of data has the visitor in `min` (1) of some segments',
    example: { thirdParty: { provider: 'acme', in: ['17', '18'] } },
    holds: ['acme says 18', visitor().data({ thirdParty: { acme: ['18'] } })],
    fails: ['other says 18', visitor().data({ thirdParty: { other: ['18'] } })],
    mistake: { thirdParty: { in: ['17'] } },
  },
  secondParty: {
    meaning: 'the same with what another publisher knows',
    example: { secondParty: { provider: 'sister', in: ['17', '18'], min: 2 } },
    holds: ['sister says 17 and 18', visitor().data({ secondParty: { sister: [17, 18] } })],
    fails: ['sister says 17', visitor().data({ secondParty: { sister: [17] } })],
    mistake: { secondParty: { provider: 'sister', in: ['17'], min: 0 } },
  },
  lookalike: {
    meaning: 'the score of a model is at least this',
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
    meaning: 'the subquery of this number in `sub` of the definition, counted from one',
    example: { sub: 1 },
    holds: pages(2),
    fails: pages(1),
    mistake: { sub: 0 },
  },
  and: {
    meaning: 'all hold',
    example: { and: [{ event: 'Pageview' }, { event: 'LinkClick' }] },
    holds: ['a view and a click', visitor().views(1).event('LinkClick')],
    fails: pages(1),
    mistake: { and: { event: 'Pageview' } },
  },
  or: {
    meaning: 'one holds at least',
    example: { or: [{ event: 'Pageview' }, { event: 'LinkClick' }] },
    holds: pages(1),
    fails: ['nothing', visitor()],
    mistake: { or: [] },
  },
  not: {
    meaning: 'it does not hold',
    example: { not: { cohort: 'fans' } },
    holds: ['nothing', visitor()],
    fails: pages(3),
    mistake: { not: 'fans' },
  },
  match: {
    meaning: 'from `min` (1) to `max` of them hold',
    example: { match: [{ event: 'Pageview' }, { event: 'LinkClick' }, { cohort: 'fans' }], min: 2 },
    holds: pages(3),
    fails: pages(2),
    mistake: { match: [{ event: 'Pageview' }], min: 1.5 },
  },
  const: {
    meaning: 'always, or never',
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
