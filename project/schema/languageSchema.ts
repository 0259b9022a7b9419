import { unitMs } from '../../src/engine/language/canonical';
import type { Cmp, Definition, Expr, ModelTest, Pred, ProviderTest, Step } from '../../src/engine/language/language';
import { dayMs } from '../../src/primitives/duration';
import type { Schema } from './ioTsSchema';

// The query language as JSON Schema says it. The types below tie this table to the language: a node or a field that the
// table lacks is an error of the compiler. A test compares the schema with the decoder.

/** The schema of a field that may be absent. */
interface Optional {
  readonly optional: Schema;
}
const optional = (schema: Schema): Optional => ({ optional: schema });
type IsOptional<Node, Key extends keyof Node> = Partial<Pick<Node, Key>> extends Pick<Node, Key> ? true : false;
/** A schema for each field of an object, of which those that may be absent are marked. */
type FieldsOf<Node> = {
  readonly [Key in keyof Node]-?: IsOptional<Node, Key> extends true ? Optional : Schema;
};
type AnyFields = Readonly<Record<string, Schema | Optional>>;

const isOptional = (field: Schema | Optional): field is Optional => 'optional' in field;
const open = (fields: AnyFields): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, isOptional(field) ? field.optional : field]),
  ),
  required: Object.keys(fields).filter((key) => !isOptional(fields[key] as Schema)),
});
const closed = (fields: AnyFields): Schema => ({ ...open(fields), additionalProperties: false });

const flag = { type: 'boolean' };
const text = { type: 'string' };
const name = { type: 'string', minLength: 1 };
const finite = { type: 'number' };
const scalar = { type: ['string', 'number'] };
const integer = (minimum: number, maximum = Number.MAX_SAFE_INTEGER): Schema => ({ type: 'integer', minimum, maximum });
const list = (items: Schema, minItems: number, maxItems: number): Schema => ({
  type: 'array',
  items,
  minItems,
  maxItems,
});
const ref = (definition: string): Schema => ({ $ref: `#/definitions/${definition}` });

const [expr, pred, step, cmp, duration] = ['expr', 'pred', 'step', 'cmp', 'duration'].map(ref) as [
  Schema,
  Schema,
  Schema,
  Schema,
  Schema,
];
const preds = list(pred, 1, 500);
const exprs = list(expr, 1, 500);
const operands = list(scalar, 1, 20_000);
const texts = list(text, 1, 20_000);
const eventNames = { anyOf: [name, list(name, 1, 500)] };
const hits = { min: optional(integer(0)), max: optional(integer(0)) };
const textual = { ...hits, fold: optional({ enum: ['case', 'accent', 'exact'] }) };
const hashable = { ...textual, hashed: optional(flag), grams: optional(integer(1, 8)) };
const counted = { is: optional(cmp), within: optional(ref('window')), buckets: optional(integer(1, 1000)) };
const timed = { ...counted, within: optional(duration) };

/** Operands that are hashes are integers. */
const hashesAreIntegers = (key: string, isList: boolean): Schema => {
  const hash = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  return {
    if: { properties: { hashed: { const: true } }, required: ['hashed'] },
    then: { properties: { [key]: isList ? { items: hash } : hash } },
  };
};

type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type PredTag = Exclude<KeysOf<Pred>, 'p' | 'min' | 'max' | 'hashed' | 'grams' | 'fold'>;
const leaf = (tag: string, test: Schema, more: AnyFields = {}): Schema => closed({ p: name, [tag]: test, ...more });
const hashableLeaf = (tag: string, test: Schema, isList: boolean): Schema => ({
  ...leaf(tag, test, hashable),
  ...hashesAreIntegers(tag, isList),
});
const date = { type: 'string', minLength: 1, description: 'an ISO date' };

const predCases: Readonly<Record<PredTag, Schema>> = {
  and: closed({ and: preds }),
  or: closed({ or: preds }),
  not: closed({ not: pred }),
  match: closed({ match: preds, ...hits }),
  in: hashableLeaf('in', operands, true),
  nin: hashableLeaf('nin', operands, true),
  eq: hashableLeaf('eq', scalar, false),
  neq: hashableLeaf('neq', scalar, false),
  words: hashableLeaf('words', operands, true),
  under: hashableLeaf('under', operands, true),
  urlPath: hashableLeaf('urlPath', operands, true),
  domain: hashableLeaf('domain', operands, true),
  contains: leaf('contains', texts, textual),
  startsWith: leaf('startsWith', texts, textual),
  endsWith: leaf('endsWith', texts, textual),
  gte: leaf('gte', finite),
  gt: leaf('gt', finite),
  lte: leaf('lte', finite),
  lt: leaf('lt', finite),
  between: leaf('between', list(finite, 2, 2)),
  after: leaf('after', date, { before: optional(date) }),
  before: leaf('before', date, { after: optional(date) }),
  exists: leaf('exists', flag),
  is: leaf('is', flag),
  size: leaf('size', cmp),
  any: leaf('any', pred, hits),
  all: leaf('all', pred),
  none: leaf('none', pred),
};

type ExprTag = Exclude<
  KeysOf<Expr>,
  'min' | 'max' | 'is' | 'within' | 'buckets' | 'where' | 'sum' | 'distinct' | 'remote' | 'span'
>;
type ExprFields = { readonly [Tag in ExprTag]: FieldsOf<Extract<Expr, { readonly [Key in Tag]: unknown }>> };

const provider = {
  ...closed({
    provider: text,
    in: operands,
    min: optional(integer(1)),
    hashed: optional(flag),
  } satisfies FieldsOf<ProviderTest>),
  ...hashesAreIntegers('in', true),
};
const model = closed({
  model: name,
  gte: { type: 'number', minimum: 0, maximum: 1 },
  data: optional({ enum: ['1p', '3p'] }),
} satisfies FieldsOf<ModelTest>);
const edge = { is: pred, within: optional(duration) };

const exprFields: ExprFields = {
  const: { const: flag },
  and: { and: exprs },
  or: { or: exprs },
  not: { not: expr },
  match: { match: exprs, ...hits },
  sub: { sub: { type: 'integer' } },
  cohort: { cohort: text },
  entered: { entered: text, ...timed },
  exited: { exited: text, ...timed },
  event: {
    event: eventNames,
    where: optional(pred),
    sum: optional(name),
    distinct: optional(name),
    remote: optional({ const: true }),
    ...counted,
  },
  sequence: { sequence: list(step, 2, 8), span: optional(duration), ...timed },
  last: { last: step, ...edge },
  first: { first: step, ...edge },
  lookup: { lookup: { enum: ['geo', 'client', 'user', 'classification'] }, where: pred },
  thirdParty: { thirdParty: provider },
  secondParty: { secondParty: provider },
  lookalike: { lookalike: model },
};

/** What cannot be said of the fields of a counted event one by one. */
const eventRules: Schema = {
  not: { required: ['sum', 'distinct'] },
  if: { required: ['distinct'] },
  then: { properties: { within: duration } },
};

const comparisons: Readonly<Record<KeysOf<Cmp>, Schema>> = {
  gte: finite,
  gt: finite,
  lte: finite,
  lt: finite,
  eq: finite,
  between: list(finite, 2, 2),
};

/** The longest window is 400 days. */
const durations: Schema = {
  anyOf: [
    integer(1, 400 * dayMs),
    ...Object.entries(unitMs).map(([unit, ms]) =>
      closed({ [unit]: { type: 'number', exclusiveMinimum: 0, maximum: (400 * dayMs) / ms } }),
    ),
  ],
};

/** The parts of the query language, to which schemas refer by `#/definitions/…`. */
export const languageDefinitions: Readonly<Record<string, Schema>> = {
  cmp: { anyOf: Object.entries(comparisons).map(([tag, operand]) => closed({ [tag]: operand })) },
  duration: durations,
  window: { anyOf: [{ enum: ['session', 'view'] }, duration] },
  step: closed({ event: eventNames, where: optional(pred) } satisfies FieldsOf<Step>),
  pred: { anyOf: Object.values(predCases) },
  expr: {
    anyOf: Object.entries(exprFields).map(([tag, fields]) => ({
      ...closed(fields as AnyFields),
      ...(tag === 'event' && eventRules),
    })),
  },
  definition: open({
    id: name,
    q: expr,
    sub: optional(list(expr, 0, 500)),
    checksum: optional(text),
    activations: optional({
      type: 'object',
      additionalProperties: open({ trigger: { enum: ['EveryTime', 'OnEntry', 'OnExit'] } }),
    }),
    name: optional(text),
    tags: optional(list(text, 0, 500)),
    canonical: optional({ const: true }),
  } satisfies FieldsOf<Definition>),
};
