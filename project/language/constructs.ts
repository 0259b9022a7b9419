import type {
  Definition,
  Expr,
  ModelTest,
  Pred,
  ProviderTest,
  RecordName,
  Step,
} from '../../src/engine/language/language';
import { maxBuckets, maxChildren, maxSteps } from '../../src/engine/language/languageCodec';
import { maxOperands } from '../../src/engine/language/valueTests';
import { aTest, expr, field, flag, hits, optional, path, pred, preds } from './fields';
import type { Construct, Field, FieldTable, Kind, RecordKind, TestConstruct, UnionName } from './kinds';
import { valueTests } from './valueTests';

// One row for each construct of the query language. From a row follow the form of Studio with its completions, the
// schema of editors and a row of docs/query-language.md. The types tie the table to the language: a construct or a
// field that the table lacks is an error of the compiler. A test compares the table with the decoder.

type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type ExprTag = Exclude<
  KeysOf<Expr>,
  'min' | 'max' | 'is' | 'within' | 'buckets' | 'where' | 'sum' | 'distinct' | 'remote' | 'span'
>;
type PredTag = Exclude<KeysOf<Pred>, 'p' | 'min' | 'max' | 'hashed' | 'grams' | 'fold'>;

const anEvent = { event: 'Pageview' };
const exprs: Kind = { type: 'list', of: expr, min: 1, max: maxChildren, item: 'condition', start: anEvent };
const step: Kind = { type: 'record', of: 'step' };
const cohort: Kind = { type: 'text', completion: 'cohort' };
const eventNames: Kind = { type: 'names', max: maxChildren, completion: 'event' };
const duration: Kind = { type: 'duration', hasScopes: false };
const window: Kind = { type: 'duration', hasScopes: true };

const times = field({ type: 'comparison' }, 'How often', 'A comparison of the count. Without it, once is enough.');
const counted = {
  is: { ...times, isOptional: true, start: { gte: 1 } },
  within: optional(window, 'Within', 'The time in which events count. Without it, they count for life.', { days: 7 }),
  buckets: optional(
    { type: 'number', min: 1, max: maxBuckets, isInteger: true },
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
const lookups: Readonly<Record<RecordName, string>> = {
  geo: 'place (geo)',
  client: 'page (client)',
  user: 'user',
  classification: 'classification of the page',
};

type FieldsOf<Node> = { readonly [Key in keyof Node]-?: Field };
/** The construct of each condition, with all fields that the condition has. */
type Conditions = {
  readonly [Tag in ExprTag]: Construct & {
    readonly fields: FieldsOf<Extract<Expr, { readonly [Key in Tag]: unknown }>>;
  };
};
const counting = 'Of events';
const combining = 'Of several conditions';
const known = 'Of what is known';

/** Constructs of conditions, by the key that tells them apart. */
export const exprConstructs: Conditions = {
  event: {
    group: counting,
    label: 'Events are counted',
    help: 'Counts events of a name or of one of several names, adds up a number of theirs, or counts different values.',
    start: { ...anEvent, is: { gte: 1 } },
    fields: {
      event: names,
      where: maybeWhere,
      ...counted,
      sum: optional(
        path,
        'Sum of',
        'Adds up the positive numbers at this path, to thousandths, instead of counting events.',
        'price',
      ),
      distinct: optional(path, 'Different values of', 'Counts the different values at this path.', '$view_id'),
      remote: optional(
        { type: 'mark' },
        'Counted by the server',
        'The server counts the events, on all devices.',
        true,
      ),
    },
  },
  sequence: {
    group: counting,
    label: 'Events follow one another',
    help: 'Counts how often 2 to 8 events happened in this order in one browser.',
    start: { sequence: [anEvent, { event: 'LinkClick' }] },
    fields: {
      sequence: field(
        { type: 'list', of: step, min: 2, max: maxSteps, item: 'step', start: anEvent },
        'Steps',
        'From 2 to 8 events that happen in this order in one browser.',
      ),
      span: optional(duration, 'All steps within', 'The time from the first step to the last.', { hours: 1 }),
      ...timed,
    },
  },
  last: {
    group: counting,
    label: 'The latest event',
    help: 'The latest event of a name satisfies a test.',
    start: { last: anEvent, is: aTest },
    fields: { last: field(step, 'Latest of', 'The event whose latest occurrence is looked at.'), ...edge },
  },
  first: {
    group: counting,
    label: 'The earliest event',
    help: 'The earliest event of a name satisfies a test.',
    start: { first: anEvent, is: aTest },
    fields: { first: field(step, 'Earliest of', 'The event whose earliest occurrence is looked at.'), ...edge },
  },
  and: {
    group: combining,
    label: 'All of these',
    help: 'All conditions hold.',
    start: { and: [anEvent] },
    fields: { and: field(exprs, 'Conditions', 'All of these hold.') },
  },
  or: {
    group: combining,
    label: 'Any of these',
    help: 'One condition holds at least.',
    start: { or: [anEvent] },
    fields: { or: field(exprs, 'Conditions', 'One of these holds at least.') },
  },
  not: {
    group: combining,
    label: 'Not',
    help: 'The condition does not hold.',
    start: { not: anEvent },
    fields: { not: field(expr, 'Condition', 'This does not hold.') },
  },
  match: {
    group: combining,
    label: 'Some of these',
    help: 'From a least to a most number of conditions hold, or one at least where no number is given.',
    start: { match: [anEvent], min: 1 },
    fields: { match: field(exprs, 'Conditions', 'A number of these hold.'), ...hits },
  },
  sub: {
    group: combining,
    label: 'A subquery',
    help: 'The subquery of this number holds; the subqueries of a definition are counted from one.',
    start: { sub: 1 },
    fields: {
      sub: field({ type: 'number', min: 1, isInteger: true }, 'Number', 'Number of the subquery, counted from one.'),
    },
  },
  cohort: {
    group: known,
    label: 'In another cohort',
    help: 'The visitor is in a cohort at this moment.',
    start: { cohort: '' },
    fields: { cohort: field(cohort, 'Cohort', 'Id of the cohort in which the visitor is now.') },
  },
  entered: {
    group: known,
    label: 'Entered a cohort',
    help: 'Counts how often the visitor has entered a cohort.',
    start: { entered: '' },
    fields: { entered: field(cohort, 'Cohort', 'Id of the cohort whose entries are counted.'), ...timed },
  },
  exited: {
    group: known,
    label: 'Left a cohort',
    help: 'Counts how often the visitor has left a cohort.',
    start: { exited: '' },
    fields: { exited: field(cohort, 'Cohort', 'Id of the cohort whose exits are counted.'), ...timed },
  },
  lookup: {
    group: known,
    label: 'Data of page or visitor',
    help: 'Data of the page or the visitor satisfies a test.',
    start: { lookup: 'geo', where: { p: 'country', in: ['NO'] } },
    fields: {
      lookup: field({ type: 'choice', of: lookups }, 'Data', 'What is known of the page or of the visitor.'),
      where: { ...where, help: 'A test of the data.' },
    },
  },
  thirdParty: {
    group: known,
    label: 'Third-party segments',
    help: 'A provider of data has the visitor in enough of some segments.',
    start: { thirdParty: aProvider },
    fields: { thirdParty: provider },
  },
  secondParty: {
    group: known,
    label: 'Second-party segments',
    help: 'Another publisher has the visitor in enough of some segments.',
    start: { secondParty: aProvider },
    fields: { secondParty: provider },
  },
  lookalike: {
    group: known,
    label: 'Score of a lookalike model',
    help: 'The visitor’s score in a model reaches a threshold.',
    start: { lookalike: { model: 'model', gte: 0.7 } },
    fields: {
      lookalike: field({ type: 'record', of: 'model' }, 'Model', 'The model, and the score that it must give.'),
    },
  },
  const: {
    group: known,
    label: 'Everybody or nobody',
    help: 'Always holds, or never.',
    start: { const: true },
    fields: { const: field(flag, 'Value', 'Everybody is in the cohort, or nobody is.') },
  },
};

const ofTests = 'Of several tests';
const seen = { p: 'form', exists: true } as const;
/** Constructs of tests, by the key that tells them apart. */
export const predConstructs: Readonly<Record<PredTag, TestConstruct>> = {
  ...valueTests,
  and: {
    group: ofTests,
    label: 'All of these',
    help: 'All tests hold.',
    start: { and: [aTest] },
    fields: { and: field(preds, 'Tests', 'All of these hold.') },
    example: { and: [seen, { p: 'price', gt: 0 }] },
    holds: { form: 'a', price: 1 },
    fails: { form: 'a' },
    mistake: { and: [] },
  },
  or: {
    group: ofTests,
    label: 'Any of these',
    help: 'One test holds at least.',
    start: { or: [aTest] },
    fields: { or: field(preds, 'Tests', 'One of these holds at least.') },
    example: { or: [seen, { p: 'price', gt: 0 }] },
    holds: { price: 1 },
    fails: { price: 0 },
    mistake: { or: [seen], and: [seen] },
  },
  not: {
    group: ofTests,
    label: 'Not',
    help: 'The test does not hold; a value that is missing is enough.',
    start: { not: aTest },
    fields: { not: field(pred, 'Test', 'This does not hold. A missing value is enough.') },
    example: { not: { p: 'section', eq: 'arts' } },
    holds: {},
    fails: { section: 'arts' },
    mistake: { not: [seen] },
  },
  match: {
    group: ofTests,
    label: 'Some of these',
    help: 'From a least to a most number of tests hold, or one at least where no number is given.',
    start: { match: [aTest], min: 1 },
    fields: { match: field(preds, 'Tests', 'A number of these hold.'), ...hits },
    example: { match: [seen, { p: 'price', gt: 0 }, { p: 'author', exists: true }], min: 2 },
    holds: { form: 'a', author: 'B' },
    fails: { form: 'a' },
    mistake: { match: [seen], min: -1 },
  },
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
const name: Kind = { type: 'text', minLength: 1 };
const segments: Kind = { type: 'operands', of: 'scalar', min: 1, max: maxOperands };
/** Objects of fixed fields, by name. */
export const records: Records & Readonly<Record<RecordKind, FieldTable>> = {
  definition: {
    id: field(
      name,
      'Id',
      'A text that no other cohort has. Numbers below 10,000,000 suit all ad servers and partners.',
    ),
    name: optional(text, 'Name', 'For people.', ''),
    tags: optional({ type: 'operands', of: 'text', min: 0, max: maxChildren }, 'Tags', 'For people, one a line.', []),
    q: field(expr, 'Condition', 'Who is in the cohort.'),
    sub: optional(
      { type: 'list', of: expr, min: 0, max: maxChildren, item: 'subquery', start: anEvent },
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
    in: field(segments, 'Segments', 'Ids of segments, one a line.'),
    min: optional(
      { type: 'number', min: 1, isInteger: true },
      'At least',
      'How many segments. Without a number, one is enough.',
      2,
    ),
    hashed: optional(flag, 'Hashed', 'The ids are hashes: integers of at most 53 bits.', true),
  },
  model: {
    model: field(name, 'Model', 'Id of the model.'),
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
