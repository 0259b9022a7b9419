import * as t from 'io-ts';

export type Codec<A> = t.Type<A, A>;
/** A codec of whatever type. */
export type AnyCodec = t.Mixed;
type Validate = (input: unknown, context: t.Context) => t.Validation<unknown>;

/** A codec that leaves its input as it is: it says whether it fits, and where not. */
export const codec = <A>(name: string, validate: Validate): Codec<A> =>
  new t.Type<A, A, unknown>(name, (input): input is A => validate(input, [])._tag === 'Right', validate as t.Validate<unknown, A>, t.identity);

/** A value that passes a test; `name` says in words what is expected. */
export const value = <A>(name: string, accepts: (input: unknown) => boolean): Codec<A> =>
  codec(name, (input, context) => (accepts(input) ? t.success(input) : t.failure(input, context, name)));

/** A list with `min` to `max` elements. */
export const list = <A>(item: Codec<A>, min: number, max: number): Codec<readonly A[]> => {
  const name = `a list of ${min} to ${max}`;
  return codec(name, (input, context) => {
    if (!Array.isArray(input) || input.length < min || input.length > max) return t.failure(input, context, name);
    return verdict(input, input.flatMap((element: unknown, i) => faults(item, element, String(i), context)));
  });
};

/** Takes one of two codecs after a look at the input, so that only one of them reports. */
export const choose = <A>(name: string, pick: (input: unknown) => AnyCodec): Codec<A> =>
  codec(name, (input, context) => pick(input).validate(input, context) as t.Validation<unknown>);

/** What an object may hold beside its first key, which tells it apart. */
export interface Shape {
  readonly required: Readonly<Record<string, AnyCodec>>;
  readonly optional: Readonly<Record<string, AnyCodec>>;
  /** A check of the whole, made when all fields fit: what is wrong, in words. */
  readonly check: (input: Readonly<Record<string, unknown>>) => string | null;
}

export const shape = (required: Shape['required'], optional: Shape['optional'] = {}, check: Shape['check'] = () => null): Shape => ({ required, optional, check });

/** An object of a shape; keys that the shape does not name are let through. */
export const open = <A>(name: string, fields: Shape): Codec<A> =>
  codec(name, (input, context) => (isRecord(input) ? validateFields(fields, input, context) : t.failure(input, context, `${name} (an object)`)));

/** An object of a shape without any other key. */
export const closed = <A>(name: string, fields: Shape): Codec<A> => tagged(name, { [Object.keys(fields.required)[0] ?? '']: fields });

/**
 * A union told apart by which tag key an object carries. Unlike `t.union` it looks at one alternative only,
 * so a fault is reported once, where it is, and the time does not grow with the number of alternatives.
 */
export const tagged = <A>(name: string, cases: Readonly<Record<string, Shape>>): Codec<A> => {
  const table = new Map(Object.entries(cases).map(([tag, fields]) => [tag, { fields, keys: new Set([...Object.keys(fields.required), ...Object.keys(fields.optional)]) }]));
  return codec(name, (input, context) => {
    if (!isRecord(input)) return t.failure(input, context, `${name} (an object)`);
    const keys = Object.keys(input);
    const tags = keys.filter((key) => table.has(key));
    // A tag may also be a companion of another, as `before` is of `after`: it must be one that admits all others.
    const tag = tags.find((candidate) => tags.every((other) => table.get(candidate)?.keys.has(other)));
    const found = tag === undefined ? undefined : table.get(tag);
    if (found === undefined) return t.failure(input, context, `${name} with exactly one of ${[...table.keys()].join(', ')}`);
    if (keys.some((key) => !found.keys.has(key))) return t.failure(input, context, `${name} with only ${[...found.keys].join(', ')}`);
    return validateFields(found.fields, input, context);
  });
};

const isRecord = (input: unknown): input is Readonly<Record<string, unknown>> => typeof input === 'object' && input !== null && !Array.isArray(input);

const validateFields = ({ required, optional, check }: Shape, input: Readonly<Record<string, unknown>>, context: t.Context): t.Validation<unknown> => {
  const errors: t.ValidationError[] = [];
  for (const key in required) errors.push(...faults(required[key] as AnyCodec, input[key], key, context));
  for (const key in optional) if (input[key] !== undefined) errors.push(...faults(optional[key] as AnyCodec, input[key], key, context));
  const wrong = errors.length > 0 ? null : check(input);
  return wrong === null ? verdict(input, errors) : t.failure(input, context, wrong);
};

const none: t.Errors = [];

const faults = (type: AnyCodec, input: unknown, key: string, context: t.Context): t.Errors => {
  const result = type.validate(input, t.appendContext(context, key, type, input)) as t.Validation<unknown>;
  return result._tag === 'Left' ? result.left : none;
};

const verdict = (input: unknown, errors: t.Errors): t.Validation<unknown> => (errors.length > 0 ? t.failures(errors) : t.success(input));
