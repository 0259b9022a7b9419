import type * as t from 'io-ts';

/** A schema of OpenAPI 3.1, which is JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** What types of io-ts say of themselves, as far as schemas are made of it. */
interface Described {
  readonly _tag?: string;
  readonly name: string;
  readonly type?: Described;
  readonly types?: readonly Described[];
  readonly domain?: Described;
  readonly codomain?: Described;
  readonly props?: Readonly<Record<string, Described>>;
  readonly keys?: Readonly<Record<string, unknown>>;
  readonly value?: unknown;
}

/** What the refinements of that name accept, beside what they refine. */
export type Refinements = Readonly<Record<string, Schema>>;

/**
 * The schema of what a type of io-ts accepts. A refinement is described by its name, as its test is a function, and
 * `refinements` says in schemas what some of them test. Throws for types without a schema, such as codecs of our own.
 */
export const schemaOf = (type: t.Mixed, refinements: Refinements = {}): Schema => makersOf(refinements)(type);

type Make = (type: Described) => Schema;

const makersOf = (refinements: Refinements): Make => {
  const schema: Make = (type) => {
    const make = type._tag === undefined ? undefined : makers[type._tag];
    if (make === undefined) throw new Error(`${type.name} has no schema`);
    return make(type);
  };
  const part = (found: Described | undefined, { name }: Described): Schema => {
    if (found === undefined) throw new Error(`${name} has no schema`);
    return schema(found);
  };
  const inner: Make = (type) => part(type.type, type);
  const properties = ({ props = {} }: Described): Schema =>
    Object.fromEntries(Object.entries(props).map(([name, type]) => [name, schema(type)]));
  const keys = (domain: Described | undefined): Schema => {
    const refined = domain === undefined ? undefined : refinements[domain.name];
    return refined === undefined ? {} : { propertyNames: refined };
  };
  const list: Make = (type) => ({ type: 'array', items: inner(type) });
  const makers: Readonly<Record<string, Make>> = {
    NullType: () => ({ type: 'null' }),
    UnknownType: () => ({}),
    StringType: () => ({ type: 'string' }),
    NumberType: () => ({ type: 'number' }),
    BooleanType: () => ({ type: 'boolean' }),
    AnyDictionaryType: () => ({ type: 'object' }),
    LiteralType: ({ value }) => ({ const: value }),
    KeyofType: ({ keys: names = {} }) => ({ enum: Object.keys(names) }),
    RefinementType: (type) => ({ ...inner(type), ...refinements[type.name], description: type.name }),
    ArrayType: list,
    ReadonlyArrayType: list,
    ReadonlyType: inner,
    ExactType: inner,
    DictionaryType: (type) => ({
      type: 'object',
      ...keys(type.domain),
      additionalProperties: part(type.codomain, type),
    }),
    InterfaceType: (type) => ({ type: 'object', properties: properties(type), required: required(type) }),
    PartialType: (type) => ({ type: 'object', properties: properties(type) }),
    UnionType: ({ types = [] }) => ({ anyOf: types.map(schema) }),
    IntersectionType: ({ types = [] }) => ({ allOf: types.map(schema) }),
  };
  return schema;
};

/** Fields that are unknown may also be absent. */
const required = ({ props = {} }: Described): readonly string[] =>
  Object.keys(props).filter((name) => props[name]?._tag !== 'UnknownType');
