import type { Definition, Expr, ModelTest, Pred, ProviderTest, Step } from '../../../src/engine/language/language';
import type { Construct, Field, FieldTable, Kind, RecordKind, UnionName } from './kinds';

// One row for each construct of the query language. The types tie the table to the language: a construct or a field
// that the table lacks is an error of the compiler, and test/studio/form compares the table with the decoder.

type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type ExprTag = Exclude<
  KeysOf<Expr>,
  'min' | 'max' | 'is' | 'within' | 'buckets' | 'where' | 'sum' | 'distinct' | 'remote' | 'span'
>;
type PredTag = Exclude<KeysOf<Pred>, 'p' | 'min' | 'max' | 'hashed' | 'grams' | 'fold'>;
type FieldsOf<Node> = { readonly [Key in keyof Node]-?: Field };

const field = (kind: Kind, label: string, help: string): Field => ({ kind, label, help });
const optional = (kind: Kind, label: string, help: string, start: unknown): Field => ({
  ...field(kind, label, help),
  isOptional: true,
  start,
});

const expr: Kind = { type: 'union', of: 'expr' };
const pred: Kind = { type: 'union', of: 'pred' };
const anEvent = { event: 'Pageview' };
const aTest = { p: 'client.url', exists: true };
const exprs: Kind = { type: 'list', of: expr, item: 'condition', start: anEvent };
const preds: Kind = { type: 'list', of: pred, item: 'test', start: aTest };
const step: Kind = { type: 'record', of: 'step' };
const flag: Kind = { type: 'flag' };
const number: Kind = { type: 'number' };
const count: Kind = { type: 'number', min: 0, isInteger: true };
const cohort: Kind = { type: 'text', completion: 'cohort' };
const path: Kind = { type: 'text', completion: 'path' };
const eventNames: Kind = { type: 'names', completion: 'event' };
const operand: Kind = { type: 'operand', completion: 'value' };
const operands: Kind = { type: 'operands', completion: 'value' };
const duration: Kind = { type: 'duration', hasScopes: false };
const window: Kind = { type: 'duration', hasScopes: true };

const hits = {
  min: optional(count, 'At least', 'How many must hold. Without a number, one is enough.', 1),
  max: optional(count, 'At most', 'How many may hold. Without a number, there is no limit.', 2),
};
const times = field({ type: 'comparison' }, 'How often', 'A comparison of the count. Without it, once is enough.');
const counted = {
  is: { ...times, isOptional: true, start: { gte: 1 } },
  within: optional(window, 'Within', 'The time in which events count. Without it, they count for life.', { days: 7 }),
  buckets: optional(
    { type: 'number', min: 1, max: 1000, isInteger: true },
    'Buckets of the window',
    'An event leaves the window with its bucket. Without a number there are 100 buckets.',
    100,
  ),
};
const timed = { ...counted, within: { ...counted.within, kind: duration } };
const where = field(pred, 'Where', 'A test of the event.');
const maybeWhere: Field = { ...where, isOptional: true, start: aTest };
const names = field(eventNames, 'Event', 'Name of the event. With several names, each of them counts.');
const edge = {
  is: field(pred, 'Satisfies', 'A test of that event.'),
  within: { ...timed.within, help: 'How old the event may be. Without it, any age will do.' },
};

const provider = field(
  { type: 'record', of: 'provider' },
  'Segments',
  'The provider, and the segments that it is asked for.',
);
const aProvider = { provider: 'acme', in: ['1'] };

const construct = (
  group: string,
  label: string,
  help: string,
  start: Construct['start'],
  fields: FieldTable,
): Construct => ({
  group,
  label,
  help,
  start,
  fields,
});
const counting = 'Of events';
const combining = 'Of several conditions';
const known = 'Of what is known';

type ExprFields = { readonly [Tag in ExprTag]: FieldsOf<Extract<Expr, { readonly [Key in Tag]: unknown }>> };
const exprFields: ExprFields = {
  event: {
    event: names,
    where: maybeWhere,
    ...counted,
    sum: optional(path, 'Sum of', 'Adds up the positive numbers at this path instead of counting events.', 'price'),
    distinct: optional(path, 'Different values of', 'Counts the different values at this path.', '$view_id'),
    remote: optional({ type: 'mark' }, 'Counted by the server', 'The server counts the events, on all devices.', true),
  },
  sequence: {
    sequence: field(
      { type: 'list', of: step, item: 'step', start: anEvent },
      'Steps',
      'From 2 to 8 events that happen in this order in one browser.',
    ),
    span: optional(duration, 'All steps within', 'The time from the first step to the last.', { hours: 1 }),
    ...timed,
  },
  last: { last: field(step, 'Latest of', 'The event whose latest occurrence is looked at.'), ...edge },
  first: { first: field(step, 'Earliest of', 'The event whose earliest occurrence is looked at.'), ...edge },
  entered: { entered: field(cohort, 'Cohort', 'Id of the cohort whose entries are counted.'), ...timed },
  exited: { exited: field(cohort, 'Cohort', 'Id of the cohort whose exits are counted.'), ...timed },
  and: { and: field(exprs, 'Conditions', 'All of these hold.') },
  or: { or: field(exprs, 'Conditions', 'One of these holds at least.') },
  not: { not: field(expr, 'Condition', 'This does not hold.') },
  match: { match: field(exprs, 'Conditions', 'A number of these hold.'), ...hits },
  sub: {
    sub: field({ type: 'number', min: 1, isInteger: true }, 'Number', 'Number of the subquery, counted from one.'),
  },
  cohort: { cohort: field(cohort, 'Cohort', 'Id of the cohort in which the visitor is now.') },
  lookup: {
    lookup: field(
      {
        type: 'choice',
        of: { geo: 'place (geo)', client: 'page (client)', user: 'user', classification: 'classification of the page' },
      },
      'Data',
      'What is known of the page or of the visitor.',
    ),
    where: { ...where, help: 'A test of the data.' },
  },
  thirdParty: { thirdParty: provider },
  secondParty: { secondParty: provider },
  lookalike: {
    lookalike: field({ type: 'record', of: 'model' }, 'Model', 'The model, and the score that it must give.'),
  },
  const: { const: field(flag, 'Value', 'Everybody is in the cohort, or nobody is.') },
};

const exprWords: Readonly<Record<ExprTag, Omit<Construct, 'fields'>>> = (() => {
  const words = (group: string, label: string, help: string, start: Construct['start']): Omit<Construct, 'fields'> => ({
    group,
    label,
    help,
    start,
  });
  return {
    event: words(
      counting,
      'Events are counted',
      'Counts events, adds up a number of them, or counts different values.',
      {
        ...anEvent,
        is: { gte: 1 },
      },
    ),
    sequence: words(counting, 'Events follow one another', 'Counts how often events happened in an order.', {
      sequence: [anEvent, { event: 'LinkClick' }],
    }),
    last: words(counting, 'The latest event', 'The latest event of a name satisfies a test.', {
      last: anEvent,
      is: aTest,
    }),
    first: words(counting, 'The earliest event', 'The earliest event of a name satisfies a test.', {
      first: anEvent,
      is: aTest,
    }),
    and: words(combining, 'All of these', 'All conditions hold.', { and: [anEvent] }),
    or: words(combining, 'Any of these', 'One condition holds at least.', { or: [anEvent] }),
    not: words(combining, 'Not', 'The condition does not hold.', { not: anEvent }),
    match: words(combining, 'Some of these', 'From a least to a most number of conditions hold.', {
      match: [anEvent],
      min: 1,
    }),
    sub: words(combining, 'A subquery', 'The subquery of a number in this definition holds.', { sub: 1 }),
    cohort: words(known, 'In another cohort', 'The visitor is in a cohort at this moment.', { cohort: '' }),
    entered: words(known, 'Entered a cohort', 'Counts how often the visitor has entered a cohort.', { entered: '' }),
    exited: words(known, 'Left a cohort', 'Counts how often the visitor has left a cohort.', { exited: '' }),
    lookup: words(known, 'Data of page or visitor', 'Data that the page or the service provides satisfies a test.', {
      lookup: 'geo',
      where: { p: 'country', in: ['NO'] },
    }),
    thirdParty: words(known, 'Third-party segments', 'A provider of data has the visitor in enough of some segments.', {
      thirdParty: aProvider,
    }),
    secondParty: words(
      known,
      'Second-party segments',
      'Another publisher has the visitor in enough of some segments.',
      {
        secondParty: aProvider,
      },
    ),
    lookalike: words(known, 'Score of a lookalike model', 'The visitor’s score reaches a threshold.', {
      lookalike: { model: 'model', gte: 0.7 },
    }),
    const: words(known, 'Everybody or nobody', 'Always holds, or never.', { const: true }),
  };
})();

/** Constructs of conditions, by the key that tells them apart. */
export const exprConstructs = Object.fromEntries(
  Object.entries(exprFields).map(([tag, fields]: [string, FieldTable]) => [
    tag,
    { ...exprWords[tag as ExprTag], fields },
  ]),
) as Readonly<Record<ExprTag, Construct>>;

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
    { type: 'number', min: 1, max: 8, isInteger: true },
    'Words of a hash',
    'The longest run of words or path segments that one hash stands for.',
    2,
  ),
};
const ofText = 'Of text';
const ofNumbers = 'Of numbers and times';
const ofLists = 'Of presence and lists';
const ofTests = 'Of several tests';

/** A row of a test of values at a path. */
const leaf = (
  group: string,
  label: string,
  help: string,
  [tag, kind, start]: readonly [tag: string, kind: Kind, start: unknown],
  more: FieldTable = {},
): Construct =>
  construct(group, label, help, { p: 'client.url', [tag]: start }, { p, [tag]: field(kind, label, help), ...more });
const ofTexts = (tag: PredTag, label: string, help: string, start: readonly string[], more: FieldTable): Construct =>
  leaf(ofText, label, help, [tag, operands, start], more);
const ofNumber = (tag: PredTag, label: string, help: string): Construct =>
  leaf(ofNumbers, label, help, [tag, number, 1]);

const date = (label: string, help: string): Field => field({ type: 'date' }, label, help);
const dates = {
  after: date('From', 'The first moment that counts, as an ISO date.'),
  before: date('Before', 'The first moment that no longer counts, as an ISO date.'),
};
const newYear = '2026-01-01';

/** Constructs of tests, by the key that tells them apart. */
export const predConstructs: Readonly<Record<PredTag, Construct>> = {
  in: ofTexts('in', 'is one of', 'The text of a value is one of these.', ['sport'], hashable),
  nin: ofTexts('nin', 'is none of', 'There is a value, and the text of none is one of these.', ['sport'], hashable),
  eq: leaf(ofText, 'equals', 'The text of a value is this.', ['eq', operand, 'sport'], hashable),
  neq: leaf(
    ofText,
    'differs from',
    'There is a value, and the text of none is this.',
    ['neq', operand, 'sport'],
    hashable,
  ),
  contains: ofTexts('contains', 'contains', 'The text of a value contains one of these.', ['sport'], textual),
  startsWith: ofTexts('startsWith', 'begins with', 'The text of a value begins with one of these.', ['sport'], textual),
  endsWith: ofTexts('endsWith', 'ends with', 'The text of a value ends with one of these.', ['.pdf'], textual),
  words: ofTexts(
    'words',
    'has the words',
    'One of these is a run of whole words of the text.',
    ['heat pump'],
    hashable,
  ),
  under: ofTexts(
    'under',
    'is at or under',
    'One of these is the path, or a path above it.',
    ['money/savings'],
    hashable,
  ),
  urlPath: ofTexts(
    'urlPath',
    'has in its address path',
    'One of these is a run of segments of an address.',
    ['sport'],
    hashable,
  ),
  domain: ofTexts(
    'domain',
    'has the domain',
    'One of these is the host of an address, or above it.',
    ['site.example'],
    hashable,
  ),
  gte: ofNumber('gte', 'is at least', 'Some number is this or more.'),
  gt: ofNumber('gt', 'is more than', 'Some number is more than this.'),
  lte: ofNumber('lte', 'is at most', 'Some number is this or less.'),
  lt: ofNumber('lt', 'is less than', 'Some number is less than this.'),
  between: leaf(ofNumbers, 'is between', 'Some number is in the range, both ends included.', [
    'between',
    { type: 'range' },
    [1, 2],
  ]),
  after: construct(
    ofNumbers,
    'is a time from',
    'Some time is this date or later.',
    { p: '$time', after: newYear },
    {
      p,
      after: dates.after,
      before: { ...dates.before, isOptional: true, start: '2027-01-01' },
    },
  ),
  before: construct(
    ofNumbers,
    'is a time before',
    'Some time is earlier than this date.',
    { p: '$time', before: newYear },
    {
      p,
      before: dates.before,
      after: { ...dates.after, isOptional: true, start: '2025-01-01' },
    },
  ),
  exists: leaf(ofLists, 'is there', 'There is a value, or with “no” there is none.', ['exists', flag, true]),
  is: leaf(ofLists, 'is true or false', 'Some value is exactly this.', ['is', flag, true]),
  size: leaf(ofLists, 'has a number of values', 'The number of values; without any it is 0.', [
    'size',
    { type: 'comparison' },
    { gte: 1 },
  ]),
  any: leaf(ofLists, 'has an object with', 'Some object of the list satisfies the test.', ['any', pred, aTest], hits),
  all: leaf(ofLists, 'has only objects with', 'The list has an object, and each satisfies the test.', [
    'all',
    pred,
    aTest,
  ]),
  none: leaf(ofLists, 'has no object with', 'No object of the list satisfies the test.', ['none', pred, aTest]),
  and: construct(
    ofTests,
    'All of these',
    'All tests hold.',
    { and: [aTest] },
    {
      and: field(preds, 'Tests', 'All of these hold.'),
    },
  ),
  or: construct(
    ofTests,
    'Any of these',
    'One test holds at least.',
    { or: [aTest] },
    {
      or: field(preds, 'Tests', 'One of these holds at least.'),
    },
  ),
  not: construct(
    ofTests,
    'Not',
    'The test does not hold.',
    { not: aTest },
    {
      not: field(pred, 'Test', 'This does not hold. A missing value is enough.'),
    },
  ),
  match: construct(
    ofTests,
    'Some of these',
    'From a least to a most number of tests hold.',
    { match: [aTest], min: 1 },
    {
      match: field(preds, 'Tests', 'A number of these hold.'),
      ...hits,
    },
  ),
};

export const unions: Readonly<Record<UnionName, Readonly<Record<string, Construct>>>> = {
  expr: exprConstructs,
  pred: predConstructs,
};

interface Trigger {
  readonly trigger: 'EveryTime' | 'OnEntry' | 'OnExit';
}
interface Records {
  readonly definition: FieldsOf<Definition>;
  readonly step: FieldsOf<Step>;
  readonly provider: FieldsOf<ProviderTest>;
  readonly model: FieldsOf<ModelTest>;
  readonly trigger: FieldsOf<Trigger>;
}

const text: Kind = { type: 'text' };
/** Objects of fixed fields, by name. */
export const records: Records & Readonly<Record<RecordKind, FieldTable>> = {
  definition: {
    id: field(
      text,
      'Id',
      'A text that no other cohort has. Numbers below 10,000,000 suit all ad servers and partners.',
    ),
    name: optional(text, 'Name', 'For people.', ''),
    tags: optional({ type: 'operands' }, 'Tags', 'For people, one a line.', []),
    q: field(expr, 'Condition', 'Who is in the cohort.'),
    sub: optional(
      { type: 'list', of: expr, item: 'subquery', start: anEvent },
      'Subqueries',
      'Conditions that the condition names by their numbers. A subquery counts once, however often it is named.',
      [anEvent],
    ),
    activations: optional(
      { type: 'table', of: { type: 'record', of: 'trigger' }, item: 'platform', start: { trigger: 'EveryTime' } },
      'Activations',
      'Who is told of the cohort, and when.',
      { dfp: { trigger: 'EveryTime' } },
    ),
    checksum: optional(text, 'Checksum', 'Names the meaning. The build writes it.', ''),
    canonical: optional(
      { type: 'mark' },
      'Canonical',
      'Promises that the condition is in canonical form. The build writes it.',
      true,
    ),
  },
  step: { event: names, where: maybeWhere },
  provider: {
    provider: field(text, 'Provider', 'Name of the provider of data.'),
    in: field({ type: 'operands' }, 'Segments', 'Ids of segments, one a line.'),
    min: optional(
      { type: 'number', min: 1, isInteger: true },
      'At least',
      'How many segments. Without a number, one is enough.',
      2,
    ),
    hashed: optional(flag, 'Hashed', 'The ids are hashes: integers of at most 53 bits.', true),
  },
  model: {
    model: field(text, 'Model', 'Id of the model.'),
    gte: field({ type: 'number', min: 0, max: 1 }, 'Score of at least', 'From 0 to 1.'),
    data: optional(
      { type: 'choice', of: { '1p': 'own cohorts (1p)', '3p': 'third-party segments (3p)' } },
      'Data',
      'What the model is made over. Without it, own cohorts are taken where there is such a model.',
      '1p',
    ),
  },
  trigger: {
    trigger: field(
      {
        type: 'choice',
        of: { EveryTime: 'on every page (EveryTime)', OnEntry: 'on entry (OnEntry)', OnExit: 'on exit (OnExit)' },
      },
      'When',
      'When the platform is told.',
    ),
  },
};
