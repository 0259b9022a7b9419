import type { Leaf } from '../../src/engine/language/language';
import { maxGrams } from '../../src/engine/language/languageCodec';
import type * as tests from '../../src/engine/language/valueTests';
import { aTest, field, flag, hits, number, operand, operands, optional, path, pred } from './fields';
import type { Field, FieldTable, Kind, TestConstruct } from './kinds';

// One row for each test of the values at a path. From a row follow the line of the form, the schema of editors and the
// row of docs/query-language.md. The types tie the rows to the tests that the engine reads.

/** What a row says of a test. */
interface Row {
  readonly label: string;
  /** When the test holds: one sentence. */
  readonly help: string;
  /** What the test compares values with. */
  readonly kind: Kind;
  readonly example: Leaf;
  /** Properties that the example is true of, and others that it is false of. */
  readonly holds: object;
  readonly fails: object;
  /** The example with a mistake. */
  readonly mistake: object;
  /** The operand that a new test begins with. Without it, the test begins with that of the example. */
  readonly start?: unknown;
}

const fold = optional(
  {
    type: 'choice',
    of: { case: 'case does not matter', accent: 'nor do accents', exact: 'exactly as written' },
  },
  'Comparison of text',
  'How text is brought into one form before it is compared. Without it, case does not matter.',
  'accent',
);
const p = field(path, 'Path', 'Names of properties with dots between them, such as article.keywords.');
const textual = { ...hits, fold };
const hashable = {
  ...textual,
  hashed: optional(flag, 'Hashed', 'The operands are hashes of texts: integers of at most 53 bits.', true),
  grams: optional(
    { type: 'number', min: 1, max: maxGrams, isInteger: true },
    'Words of a hash',
    'The longest run of words or path segments that one hash stands for.',
    2,
  ),
};

/** Rows as constructs of one group. `more`: the fields that each of them may have beside its test. */
const constructsOf = <Rows extends Readonly<Record<string, Row>>>(
  group: string,
  rows: Rows,
  more: FieldTable = {},
): Readonly<Record<keyof Rows, TestConstruct>> =>
  Object.fromEntries(
    Object.entries(rows).map(([tag, { kind, label, help, start, ...example }]) => [
      tag,
      {
        group,
        label,
        help,
        start: {
          p: 'client.url',
          [tag]: start ?? (example.example as unknown as Readonly<Record<string, unknown>>)[tag],
        },
        fields: { p, [tag]: field(kind, label, help), ...more },
        ...example,
      },
    ]),
  ) as never;
type RowsOf<Codecs> = Readonly<Record<keyof Codecs, Row>>;

const wholeRows: RowsOf<typeof tests.wholeTests> = {
  in: {
    label: 'is one of',
    help: 'The text of a value is one of these.',
    kind: operands,
    example: { p: 'article.keywords', in: ['Bonds', 'shares'] },
    holds: { article: { keywords: ['arts', 'bonds'] } },
    fails: { article: { keywords: ['bond'] } },
    mistake: { p: 'article.keywords', in: [] },
    start: ['sport'],
  },
  nin: {
    label: 'is none of',
    help: 'There is a value, and the text of none is one of these.',
    kind: operands,
    example: { p: 'section', nin: ['arts'] },
    holds: { section: 'sport' },
    fails: {},
    mistake: { p: 'section', nin: 'arts' },
  },
  eq: {
    label: 'equals',
    help: 'The text of a value is this; numbers are compared as text.',
    kind: operand,
    example: { p: 'issue', eq: 123 },
    holds: { issue: '123' },
    fails: { issue: true },
    mistake: { p: 'issue', eq: true },
    start: 'sport',
  },
  neq: {
    label: 'differs from',
    help: 'There is a value, and the text of none is this.',
    kind: operand,
    example: { p: 'section', neq: 'arts' },
    holds: { section: 'sport' },
    fails: { section: ['sport', 'Arts'] },
    mistake: { section: 'sport', neq: 'arts' },
  },
};

const texts: Kind = { ...operands, of: 'text' };
const insideRows: RowsOf<typeof tests.insideTests> = {
  contains: {
    label: 'contains',
    help: 'The text of a value contains one of these.',
    kind: texts,
    example: { p: 'title', contains: ['win'] },
    holds: { title: 'Winter' },
    fails: { title: 'Summer' },
    mistake: { p: 'title', contains: [7] },
  },
  startsWith: {
    label: 'begins with',
    help: 'The text of a value begins with one of these.',
    kind: texts,
    example: { p: 'form.name', startsWith: ['newsletter'] },
    holds: { form: { name: 'Newsletter of arts' } },
    fails: { form: { name: 'Our newsletter' } },
    mistake: { p: 'form.name', startsWith: ['a'], hashed: true },
  },
  endsWith: {
    label: 'ends with',
    help: 'The text of a value ends with one of these.',
    kind: texts,
    example: { p: 'file', endsWith: ['.pdf'] },
    holds: { file: 'report.PDF' },
    fails: { file: 'report.pdf.txt' },
    mistake: { p: 'file', endsWith: '.pdf' },
  },
};

const partRows: RowsOf<typeof tests.partTests> = {
  words: {
    label: 'has the words',
    help: 'One of these is a run of whole words of the text.',
    kind: operands,
    example: { p: 'title', words: ['heat pump'] },
    holds: { title: 'Heat-pump, the sequel' },
    fails: { title: 'heat pumps' },
    mistake: { p: 'title', words: ['heat pump'], grams: 9 },
  },
  under: {
    label: 'is at or under',
    help: 'One of these is the path, or a path above it, by whole names between slashes.',
    kind: operands,
    example: { p: 'topics', under: ['money/savings'] },
    holds: { topics: ['Money/Savings/Rates'] },
    fails: { topics: ['money/savings-rates'] },
    mistake: { p: 'topics', under: { topic: 'money' } },
  },
  urlPath: {
    label: 'has in its address path',
    help: 'One of these is a run of segments of the path of an address.',
    kind: operands,
    example: { p: 'url', urlPath: ['markets/stocks'] },
    holds: { url: 'https://site.example/us/markets/stocks/a?b=c' },
    fails: { url: 'https://site.example/markets-stocks' },
    mistake: { p: 'url', urlPath: ['markets'], hashed: true },
  },
  domain: {
    label: 'has the domain',
    help: 'One of these is the host of an address, or a domain above it.',
    kind: operands,
    example: { p: 'referrer', domain: ['search.example'] },
    holds: { referrer: 'https://www.search.example:8080/?q=a' },
    fails: { referrer: 'https://search.example.org/' },
    mistake: { p: 'referrer', domain: [null] },
  },
};

const numberRows: RowsOf<typeof tests.numberTests> = {
  gte: {
    label: 'is at least',
    help: 'Some number is this or more.',
    kind: number,
    example: { p: 'price', gte: 10 },
    holds: { price: [3, 10] },
    fails: { price: '10' },
    mistake: { p: 'price', gte: '10' },
  },
  gt: {
    label: 'is more than',
    help: 'Some number is more than this.',
    kind: number,
    example: { p: 'price', gt: 10 },
    holds: { price: 10.5 },
    fails: { price: 10 },
    mistake: { p: 'price', gt: 10, min: 2 },
  },
  lte: {
    label: 'is at most',
    help: 'Some number is this or less.',
    kind: number,
    example: { p: 'price', lte: 10 },
    holds: { price: 10 },
    fails: { price: 11 },
    mistake: { p: 'price', lte: null },
  },
  lt: {
    label: 'is less than',
    help: 'Some number is less than this.',
    kind: number,
    example: { p: 'price', lt: 10 },
    holds: { price: 9.9 },
    fails: {},
    mistake: { lt: 10 },
  },
  between: {
    label: 'is between',
    help: 'Some number is in the range, both ends included.',
    kind: { type: 'range' },
    example: { p: 'price', between: [10, 20] },
    holds: { price: 20 },
    fails: { price: 21 },
    mistake: { p: 'price', between: [10] },
  },
};

const date = (label: string, help: string): Field => field({ type: 'date' }, label, help);
const dates = {
  after: date('From', 'The first moment that counts, as an ISO date.'),
  before: date('Before', 'The first moment that no longer counts, as an ISO date.'),
};
const newYear = '2026-01-01';
const ofNumbers = 'Of numbers and times';

/** Each of the two dates tells the test, and the other one may stand beside it. */
const dateTests: Readonly<Record<'after' | 'before', TestConstruct>> = {
  after: {
    group: ofNumbers,
    label: 'is a time from',
    help: 'Some time, as ISO text or ms, is this date or later.',
    start: { p: '$time', after: newYear },
    fields: { p, after: dates.after, before: { ...dates.before, isOptional: true, start: '2027-01-01' } },
    example: { p: 'published', after: newYear },
    holds: { published: '2026-01-01T00:00:00Z' },
    fails: { published: '2025-12-31T23:59:59Z' },
    mistake: { p: 'published', after: 'last year' },
  },
  before: {
    group: ofNumbers,
    label: 'is a time before',
    help: 'Some time is earlier than this date, and not before the other one, if there is one.',
    start: { p: '$time', before: newYear },
    fields: { p, before: dates.before, after: { ...dates.after, isOptional: true, start: '2025-01-01' } },
    example: { p: 'published', after: newYear, before: '2026-02-01' },
    holds: { published: '2026-01-31T23:00:00Z' },
    fails: { published: '2026-02-01T00:00:00Z' },
    mistake: { p: 'published', before: '2026-02-31x' },
  },
};

const presenceRows: RowsOf<typeof tests.presenceTests> = {
  exists: {
    label: 'is there',
    help: 'There is a value; or there is none, where none is asked for.',
    kind: flag,
    example: { p: 'author', exists: false },
    holds: { author: null },
    fails: { author: '' },
    mistake: { p: 'author', exists: 'no' },
    start: true,
  },
};

const flagRows: RowsOf<typeof tests.flagTests> = {
  is: {
    label: 'is true or false',
    help: 'Some value is exactly this.',
    kind: flag,
    example: { p: 'logged_in', is: true },
    holds: { logged_in: true },
    fails: { logged_in: 'true' },
    mistake: { p: 'logged_in', is: 'true' },
  },
};

const sizeRow: Row = {
  label: 'has a number of values',
  help: 'The number of values is as asked; without any it is 0.',
  kind: { type: 'comparison' },
  example: { p: 'authors', size: { gte: 2 } },
  holds: { authors: ['A', 'B'] },
  fails: { authors: 'A' },
  mistake: { p: 'authors', size: 2 },
};

const anyRow: Row = {
  label: 'has an object with',
  help: 'Some object of the list satisfies the test, or as many as are asked for.',
  kind: pred,
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
  start: aTest,
};
const elementRows: Readonly<Record<'all' | 'none', Row>> = {
  all: {
    label: 'has only objects with',
    help: 'The list has an object, and each satisfies the test.',
    kind: pred,
    example: { p: 'labels', all: { p: 'score', gte: 0.5 } },
    holds: { labels: [{ score: 0.5 }, { score: 0.6 }] },
    fails: { labels: [] },
    mistake: { p: 'labels', all: { score: 0.5 } },
    start: aTest,
  },
  none: {
    label: 'has no object with',
    help: 'No object of the list satisfies the test.',
    kind: pred,
    example: { p: 'labels', none: { p: 'score', gte: 0.5 } },
    holds: {},
    fails: { labels: [{ score: 0.1 }, { score: 0.5 }] },
    mistake: { p: 'labels', none: { p: 'score', gte: 'high' } },
    start: aTest,
  },
};

const ofText = 'Of text';
const ofLists = 'Of presence and lists';
/** Tests of the values at a path, by the key that tells them apart. */
export const valueTests = {
  ...constructsOf(ofText, wholeRows, hashable),
  ...constructsOf(ofText, insideRows, textual),
  ...constructsOf(ofText, partRows, hashable),
  ...constructsOf(ofNumbers, numberRows),
  ...dateTests,
  ...constructsOf(ofLists, { ...presenceRows, ...flagRows, size: sizeRow }),
  ...constructsOf(ofLists, { any: anyRow }, hits),
  ...constructsOf(ofLists, elementRows),
};
