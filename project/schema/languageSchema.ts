import { unitMs } from '../../src/engine/language/canonical';
import { longestWindowMs } from '../../src/engine/language/languageCodec';
import { records, unions } from '../language/constructs';
import type { FieldTable, Kind } from '../language/kinds';
import type { Schema } from './ioTsSchema';

// The query language as JSON Schema says it, made from the tables of its constructs. A test compares the schema with
// the decoder.

const text = { type: 'string' };
const name = { type: 'string', minLength: 1 };
const finite = { type: 'number' };
const scalar = { type: ['string', 'number'] };
const list = (items: Schema, minItems: number, maxItems: number): Schema => ({
  type: 'array',
  items,
  minItems,
  maxItems,
});
const ref = (definition: string): Schema => ({ $ref: `#/definitions/${definition}` });

/** What a field of a kind may hold. */
const schemaOfKind = (kind: Kind): Schema => {
  switch (kind.type) {
    case 'union':
    case 'record':
      return ref(kind.of);
    case 'list':
      return list(schemaOfKind(kind.of), kind.min, kind.max);
    case 'table':
      return { type: 'object', additionalProperties: schemaOfKind(kind.of) };
    case 'text':
      return kind.minLength === undefined ? text : name;
    case 'names':
      return { anyOf: [name, list(name, 1, kind.max)] };
    case 'operand':
      return scalar;
    case 'operands':
      return list(kind.of === 'text' ? text : scalar, kind.min, kind.max);
    case 'number':
      return numberSchema(kind);
    case 'flag':
      return { type: 'boolean' };
    case 'mark':
      return { const: true };
    case 'choice':
      return { enum: Object.keys(kind.of) };
    case 'date':
      return name;
    case 'range':
      return list(finite, 2, 2);
    case 'comparison':
      return ref('cmp');
    case 'duration':
      return ref(kind.hasScopes ? 'window' : 'duration');
  }
};

const numberSchema = ({ min, max, isInteger = false }: Extract<Kind, { readonly type: 'number' }>): Schema => ({
  type: isInteger ? 'integer' : 'number',
  ...(min !== undefined && { minimum: min }),
  ...(max === undefined ? isInteger && { maximum: Number.MAX_SAFE_INTEGER } : { maximum: max }),
});

/** An object of these fields, which may have others too. The help of a field is what editors say of it. */
const open = (fields: FieldTable): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([key, { kind, help }]) => [key, { ...schemaOfKind(kind), description: help }]),
  ),
  required: Object.keys(fields).filter((key) => fields[key]?.isOptional !== true),
  ...hashesAreIntegers(fields),
});
const closed = (fields: FieldTable): Schema => ({ ...open(fields), additionalProperties: false });

/** Operands that are hashes are integers. */
const hashesAreIntegers = (fields: FieldTable): Schema => {
  if (!('hashed' in fields)) return {};
  const hash = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  const hashes = Object.entries(fields).flatMap(([key, { kind }]): (readonly [string, Schema])[] =>
    kind.type === 'operands' ? [[key, { items: hash }]] : kind.type === 'operand' ? [[key, hash]] : [],
  );
  return {
    if: { properties: { hashed: { const: true } }, required: ['hashed'] },
    then: { properties: Object.fromEntries(hashes) },
  };
};

/** What cannot be said of the fields of a counted event one by one. */
const eventRules: Schema = {
  not: { required: ['sum', 'distinct'] },
  if: { required: ['distinct'] },
  then: { properties: { within: ref('duration') } },
};

/** An object with this one key. */
const single = (key: string, schema: Schema): Schema => ({
  type: 'object',
  properties: { [key]: schema },
  required: [key],
  additionalProperties: false,
});
const numbers = ['gte', 'gt', 'lte', 'lt', 'eq'].map((tag) => single(tag, finite));

const durations: Schema = {
  anyOf: [
    { type: 'integer', minimum: 1, maximum: longestWindowMs },
    ...Object.entries(unitMs).map(([unit, ms]) =>
      single(unit, { type: 'number', exclusiveMinimum: 0, maximum: longestWindowMs / ms }),
    ),
  ],
};

/** The parts of the query language, to which schemas refer by `#/definitions/…`. */
export const languageDefinitions: Readonly<Record<string, Schema>> = {
  cmp: { anyOf: [...numbers, single('between', list(finite, 2, 2))] },
  duration: durations,
  window: { anyOf: [{ enum: ['session', 'view'] }, ref('duration')] },
  step: closed(records.step),
  provider: closed(records.provider),
  model: closed(records.model),
  // Keys that later versions may add are let through.
  trigger: open(records.trigger),
  definition: open(records.definition),
  pred: { anyOf: Object.values(unions.pred).map(({ fields }) => closed(fields)) },
  expr: {
    anyOf: Object.entries(unions.expr).map(([tag, { fields }]) => ({
      ...closed(fields),
      ...(tag === 'event' && eventRules),
    })),
  },
};
