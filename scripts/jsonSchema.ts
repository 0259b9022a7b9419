import type * as t from 'io-ts';

/** A schema of OpenAPI 3.1, which is JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** What types of io-ts say of themselves, as far as schemas are made of it. */
interface Described {
  readonly _tag?: string;
  readonly name: string;
  readonly type?: Described;
  readonly types?: readonly Described[];
  readonly codomain?: Described;
  readonly props?: Readonly<Record<string, Described>>;
  readonly keys?: Readonly<Record<string, unknown>>;
  readonly value?: unknown;
}

/**
 * The schema of what a type of io-ts accepts. A refinement is described by its name, because its test is a function.
 * Throws for types that have no schema, such as codecs of our own.
 */
export const schemaOf = (type: t.Mixed): Schema => schema(type);

const schema = (type: Described): Schema => {
  const make = type._tag === undefined ? undefined : makers[type._tag];
  if (make === undefined) throw new Error(`${type.name} has no schema`);
  return make(type);
};

const inner = ({ type, name }: Described): Schema => {
  if (type === undefined) throw new Error(`${name} has no schema`);
  return schema(type);
};

const properties = ({ props = {} }: Described): Schema =>
  Object.fromEntries(Object.entries(props).map(([name, type]) => [name, schema(type)]));

/** Fields that are unknown may also be absent. */
const required = ({ props = {} }: Described): readonly string[] =>
  Object.keys(props).filter((name) => props[name]?._tag !== 'UnknownType');

const makers: Readonly<Record<string, (type: Described) => Schema>> = {
  NullType: () => ({ type: 'null' }),
  UnknownType: () => ({}),
  StringType: () => ({ type: 'string' }),
  NumberType: () => ({ type: 'number' }),
  BooleanType: () => ({ type: 'boolean' }),
  AnyDictionaryType: () => ({ type: 'object' }),
  LiteralType: ({ value }) => ({ const: value }),
  KeyofType: ({ keys = {} }) => ({ enum: Object.keys(keys) }),
  RefinementType: (type) => ({ ...inner(type), description: type.name }),
  ArrayType: (type) => ({ type: 'array', items: inner(type) }),
  ReadonlyArrayType: (type) => ({ type: 'array', items: inner(type) }),
  ReadonlyType: inner,
  ExactType: inner,
  DictionaryType: ({ codomain, name }) => {
    if (codomain === undefined) throw new Error(`${name} has no schema`);
    return { type: 'object', additionalProperties: schema(codomain) };
  },
  InterfaceType: (type) => ({ type: 'object', properties: properties(type), required: required(type) }),
  PartialType: (type) => ({ type: 'object', properties: properties(type) }),
  UnionType: ({ types = [] }) => ({ anyOf: types.map(schema) }),
  IntersectionType: ({ types = [] }) => ({ allOf: types.map(schema) }),
};
