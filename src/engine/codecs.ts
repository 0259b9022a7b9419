import * as t from 'io-ts';

export type Codec<A> = t.Type<A, A>;
/** A codec of whatever type. */
export type AnyCodec = t.Mixed;
type Validate = (input: unknown, context: t.Context) => t.Validation<unknown>;
type Accepts = (input: unknown) => boolean;

/**
 * A codec that leaves its input as it is: `accepts` says whether it fits, `validate` where it does not. Only
 * what does not fit pays for the account of where.
 */
const codec = <A>(name: string, accepts: Accepts, validate: Validate): Codec<A> =>
  new t.Type<A, A>(name, (input): input is A => accepts(input), validate as t.Validate<unknown, A>, t.identity);

/** A value that passes a test; `name` says in words what is expected. */
export const value = <A>(name: string, accepts: Accepts): Codec<A> => codec(name, accepts, (input, context) => (accepts(input) ? t.success(input) : t.failure(input, context, name)));

/** A list with `min` to `max` elements. */
export const list = <A>(item: Codec<A>, min: number, max: number): Codec<readonly A[]> => {
  const name = `a list of ${min} to ${max}`;
  const fits = (input: unknown): input is unknown[] => Array.isArray(input) && input.length >= min && input.length <= max;
  return codec(
    name,
    (input) => fits(input) && input.every(item.is),
    (input, context) =>
      fits(input)
        ? verdict(
            input,
            input.flatMap((element, i) => faults(item, element, String(i), context)),
          )
        : t.failure(input, context, name),
  );
};

/** Takes one of two codecs after a look at the input, so that only one of them reports. */
export const choose = <A>(name: string, pick: (input: unknown) => AnyCodec): Codec<A> =>
  codec(
    name,
    (input) => pick(input).is(input),
    (input, context) => pick(input).validate(input, context) as t.Validation<unknown>,
  );

/** What an object may hold. The first key of those required tells it apart from others. */
export interface Shape {
  readonly required: Readonly<Record<string, AnyCodec>>;
  readonly optional: Readonly<Record<string, AnyCodec>>;
  /** A check of the whole, made when all fields fit: what is wrong, in words. */
  readonly check: (input: Fields) => string | null;
}

type Fields = Readonly<Record<string, unknown>>;

export const shape = (required: Shape['required'], optional: Shape['optional'] = {}, check: Shape['check'] = () => null): Shape => ({ required, optional, check });

/** An object of a shape; keys that the shape does not name are let through. */
export const open = <A>(name: string, fields: Shape): Codec<A> =>
  codec(
    name,
    (input) => isRecord(input) && fieldsFit(fields, input),
    (input, context) => (isRecord(input) ? validateFields(fields, input, context) : t.failure(input, context, `${name} (an object)`)),
  );

/** An object of a shape without any other key. */
export const closed = <A>(name: string, fields: Shape): Codec<A> => tagged(name, { [Object.keys(fields.required)[0] ?? '']: fields });

/**
 * A union told apart by which tag key an object carries. Unlike `t.union` it looks at one alternative only,
 * so a fault is reported once, where it is, and the time does not grow with the number of alternatives.
 */
export const tagged = <A>(name: string, cases: Readonly<Record<string, Shape>>): Codec<A> => {
  const table = new Map(Object.entries(cases).map(([tag, fields]) => [tag, { fields, keys: new Set([...Object.keys(fields.required), ...Object.keys(fields.optional)]) }]));
  const caseOf = (keys: readonly string[]): { readonly fields: Shape; readonly keys: ReadonlySet<string> } | undefined => {
    const tags = keys.filter((key) => table.has(key));
    // A tag may also be a companion of another, as `before` is of `after`: it must be one that admits all others.
    const tag = tags.find((candidate) => tags.every((other) => table.get(candidate)?.keys.has(other)));
    return tag === undefined ? undefined : table.get(tag);
  };
  const accepts = (input: unknown): boolean => {
    if (!isRecord(input)) return false;
    const keys = Object.keys(input);
    const found = caseOf(keys);
    return found !== undefined && keys.every((key) => found.keys.has(key)) && fieldsFit(found.fields, input);
  };
  return codec(name, accepts, (input, context) => {
    if (!isRecord(input)) return t.failure(input, context, `${name} (an object)`);
    const keys = Object.keys(input);
    const found = caseOf(keys);
    if (found === undefined) return t.failure(input, context, `${name} with exactly one of ${[...table.keys()].join(', ')}`);
    if (keys.some((key) => !found.keys.has(key))) return t.failure(input, context, `${name} with only ${[...found.keys].join(', ')}`);
    return validateFields(found.fields, input, context);
  });
};

/** An object that is not a list. */
export const isRecord = (input: unknown): input is Fields => typeof input === 'object' && input !== null && !Array.isArray(input);

const fieldsFit = ({ required, optional, check }: Shape, input: Fields): boolean => {
  for (const key in required) if (required[key]?.is(input[key]) !== true) return false;
  for (const key in optional) if (input[key] !== undefined && optional[key]?.is(input[key]) !== true) return false;
  return check(input) === null;
};

const validateFields = ({ required, optional, check }: Shape, input: Fields, context: t.Context): t.Validation<unknown> => {
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
