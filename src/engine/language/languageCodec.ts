import {
  type Codec,
  type KeyCodecs,
  list,
  readAs,
  type Shape,
  shape,
  table,
  type TypeOf,
  value,
} from '../../codecs/codecs';
import { dayMs } from '../../primitives/duration';
import { timeOf } from '../../primitives/isoDate';
import { published, unitMs } from './canonical';
import type { ReadDefinition } from './canonicalLanguage';
import type { Cmp, Definition, Duration, Expr, Pred, Window } from './language';
import { open, Text } from './storedCodecs';
import { type Cases, choose, closed, oneOf, taggedUnion } from './taggedCodecs';
import { integer, isFinite, Name, Share } from './valueCodecs';
import {
  Finite,
  Flag,
  flagTests,
  insideTests,
  numberTests,
  Operands,
  partTests,
  presenceTests,
  wholeTests,
} from './valueTests';

// Sizes are limited so that no definition can stall a page. The longest window is 400 days.
export const maxChildren = 500;
export const maxSteps = 8;
export const maxBuckets = 1000;
export const maxGrams = 8;
export const longestWindowMs = 400 * dayMs;

const IsoDateCodec = value<string>('an ISO date', (input) => typeof input === 'string' && !Number.isNaN(timeOf(input)));
const True = value('true', (input) => input === true);

const { gte, gt, lte, lt, between } = numberTests;
/** Shapes of objects with one key: one for each of the keys. */
const single = <Codecs extends KeyCodecs>(
  codecs: Codecs,
): { readonly [Tag in keyof Codecs]: Shape<{ readonly [Key in Tag]: TypeOf<Codecs[Tag]> }> } =>
  Object.fromEntries(Object.entries(codecs).map(([tag, type]) => [tag, shape({ [tag]: type })])) as never;
const CmpCodec = taggedUnion<Cmp>(
  'a comparison',
  single({ gte, gt, lte, lt, between, eq: Finite }) satisfies Cases<Cmp>,
);

/** A positive number of a unit, which comes to whole ms and to no more than the longest window. */
const durationOf = (ms: number): Codec<number> =>
  value(
    'a duration of at most 400 days',
    (input) => isFinite(input) && Number.isInteger(input * ms) && input > 0 && input * ms <= longestWindowMs,
  );
const DurationMs = durationOf(1);
type DurationUnit = Exclude<Duration, number>;
const unitCodecs = Object.fromEntries(Object.entries(unitMs).map(([unit, ms]) => [unit, durationOf(ms)])) as {
  readonly [Unit in keyof typeof unitMs]: Codec<number>;
};
const DurationUnits = taggedUnion<DurationUnit>('a duration', single(unitCodecs) satisfies Cases<DurationUnit>);
const DurationCodec = choose<Duration>((input) => (typeof input === 'number' ? DurationMs : DurationUnits));
const ScopeCodec = oneOf('session', 'view');
const WindowCodec = choose<Window>((input) => (typeof input === 'string' ? ScopeCodec : DurationCodec));

// Predicates contain predicates, so the codec is made when it is used first.
let predicate: Codec<Pred> | undefined;
const PredCodec: Codec<Pred> = (input) => (predicate ??= taggedUnion<Pred>('a predicate', preds))(input);
const Preds = list(PredCodec, 1, maxChildren);
const hits = { min: integer(0), max: integer(0) };

/** Shapes of leaves with one test each, under their tags. `check` makes a check for a tag. */
const leaves = <Codecs extends KeyCodecs, Optional extends KeyCodecs>(
  codecs: Codecs,
  optional: Optional = {} as Optional,
  check?: (tag: string) => Shape['check'],
): {
  readonly [Tag in keyof Codecs]: Shape<
    { readonly [Key in Tag]: TypeOf<Codecs[Tag]> } & { readonly p: string } & {
      readonly [Name in keyof Optional]?: TypeOf<Optional[Name]>;
    }
  >;
} =>
  Object.fromEntries(
    Object.entries(codecs).map(([tag, test]) => [tag, shape({ [tag]: test, p: Name }, optional, check?.(tag))]),
  ) as never;
const textual = { ...hits, fold: oneOf('case', 'accent', 'exact') };
/** Operands that are hashes must be integers: a word among them would never be met. */
const hashedAreIntegers =
  (tag: string): Shape['check'] =>
  (node) =>
    node['hashed'] === true && [node[tag]].flat().some((operand) => !Number.isSafeInteger(operand))
      ? 'integers as hashed operands'
      : null;
const dates = shape({ p: Name }, { after: IsoDateCodec, before: IsoDateCodec });

/** A predicate for each tag by which it is recognised. */
const preds: Cases<Pred, 'p' | 'min' | 'max' | 'hashed' | 'grams' | 'fold'> = {
  ...single({ and: Preds, or: Preds, not: PredCodec }),
  match: shape({ match: Preds }, hits),
  ...leaves(
    { ...wholeTests, ...partTests },
    { ...textual, hashed: Flag, grams: integer(1, maxGrams) },
    hashedAreIntegers,
  ),
  ...leaves(insideTests, textual),
  ...leaves(numberTests),
  // Either key tells the leaf, because one of them may be absent.
  after: dates,
  before: dates,
  ...leaves({ ...presenceTests, ...flagTests, size: CmpCodec }),
  ...leaves({ any: PredCodec }, hits),
  ...leaves({ all: PredCodec, none: PredCodec }),
};

const Names = list(Name, 1, maxChildren);
const EventNames = choose<string | readonly string[]>((input) => (typeof input === 'string' ? Name : Names));
const countedFields = { is: CmpCodec, within: WindowCodec, buckets: integer(1, maxBuckets) };
const timedFields = { ...countedFields, within: DurationCodec };
const StepCodec = closed('a step', shape({ event: EventNames }, { where: PredCodec }));
const Edge = { is: PredCodec };
const ProviderTestCodec = closed(
  'a provider test',
  shape({ provider: Text, in: Operands }, { min: integer(1), hashed: Flag }, hashedAreIntegers('in')),
);
const ModelTestCodec = closed('a model test', shape({ model: Name, gte: Share }, { data: oneOf('1p', '3p') }));

// What cannot be said by the kinds of the fields alone.
const checkEvent: Shape['check'] = ({ sum, distinct, within }) => {
  if (sum !== undefined && distinct !== undefined) return 'either sum or distinct';
  return distinct !== undefined && typeof within === 'string' ? 'a duration as the window of distinct' : null;
};

let queryNode: Codec<Expr> | undefined;
const ExprCodec: Codec<Expr> = (input) => (queryNode ??= taggedUnion<Expr>('a query node', exprs))(input);
const Exprs = list(ExprCodec, 1, maxChildren);
/** Keys of query nodes beside the tag. */
type ExprCompanion = 'min' | 'max' | 'is' | 'within' | 'buckets' | 'where' | 'sum' | 'distinct' | 'remote' | 'span';
/** A query node for each tag by which it is recognised. */
const exprs: Cases<Expr, ExprCompanion> = {
  ...single({
    const: Flag,
    and: Exprs,
    or: Exprs,
    not: ExprCodec,
    cohort: Text,
    thirdParty: ProviderTestCodec,
    secondParty: ProviderTestCodec,
    lookalike: ModelTestCodec,
  }),
  match: shape({ match: Exprs }, hits),
  // Out of bounds is told apart from ill formed, with an error of its own, when the query is compiled.
  sub: shape({ sub: value<number>('an integer', Number.isInteger) }),
  entered: shape({ entered: Text }, timedFields),
  exited: shape({ exited: Text }, timedFields),
  event: shape(
    { event: EventNames },
    { ...countedFields, where: PredCodec, sum: Name, distinct: Name, remote: True },
    checkEvent,
  ),
  sequence: shape({ sequence: list(StepCodec, 2, maxSteps) }, { ...timedFields, span: DurationCodec }),
  last: shape({ last: StepCodec, ...Edge }, { within: DurationCodec }),
  first: shape({ first: StepCodec, ...Edge }, { within: DurationCodec }),
  lookup: shape({ lookup: oneOf('geo', 'client', 'user', 'classification'), where: PredCodec }),
};

const Trigger = open('a trigger', shape({ trigger: oneOf('EveryTime', 'OnEntry', 'OnExit') }));
const Activations = table('triggers by platform', Trigger);

/** One definition of a bundle. Keys that later versions may add beside `q` are let through; inside it none is. */
export const DefinitionCodec = open<Definition>(
  'a definition',
  shape(
    { id: Name, q: ExprCodec },
    {
      sub: list(ExprCodec, 0, maxChildren),
      checksum: Text,
      activations: Activations,
      name: Text,
      tags: list(Text, 0, maxChildren),
      canonical: True,
    },
  ),
);

/** Checks a definition and brings it into canonical form. Throws a `DecodeError` that says what is wrong and where. */
export const readDefinition: ReadDefinition = (input) => {
  const definition = readAs(DefinitionCodec, input);
  if (definition instanceof Error) throw definition;
  return published(definition);
};
