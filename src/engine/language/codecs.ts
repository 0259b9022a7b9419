import * as t from 'io-ts';

/** A codec that decodes to the very input, without a copy. */
export type Codec<A> = t.Type<A, A>;
/** A codec of whatever type. */
export type AnyCodec = t.Mixed;
type Validate = (input: unknown, context: t.Context) => t.Validation<unknown>;
type Accepts = (input: unknown) => boolean;

/**
 * A codec that leaves its input as it is. `accepts` says whether it fits; `validate` also says where it does not, which
 * costs more.
 */
export const codec = <A>(name: string, accepts: Accepts, validate: Validate): Codec<A> =>
  new t.Type<A, A>(name, (input): input is A => accepts(input), validate as t.Validate<unknown, A>, t.identity);

/** A value that passes a test; `name` says in words what is expected. */
export const value = <A>(name: string, accepts: Accepts): Codec<A> =>
  codec(name, accepts, (input, context) => (accepts(input) ? t.success(input) : t.failure(input, context, name)));

/** Any string, empty ones too. */
export const Text = value<string>('a string', (input) => typeof input === 'string');

/** What an object may hold. The first key of those required tells it apart from others. */
export interface Shape {
  /** Keys that must be there and fit. */
  readonly required: Readonly<Record<string, AnyCodec>>;
  /** Keys that may be absent or undefined, and fit otherwise. */
  readonly optional: Readonly<Record<string, AnyCodec>>;
  /** A check of the whole, made when all fields fit: what is wrong, in words. */
  readonly check: (input: Fields) => string | null;
}

/** An object whose fields are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Makes a shape; without `check`, fields that fit are enough. */
export const shape = (
  required: Shape['required'],
  optional: Shape['optional'] = {},
  check: Shape['check'] = () => null,
): Shape => ({ required, optional, check });

/** An object of a shape; keys that the shape does not name are let through and kept. */
export const open = <A>(name: string, fields: Shape): Codec<A> =>
  codec(
    name,
    (input) => isRecord(input) && fieldsFit(fields, input),
    (input, context) =>
      isRecord(input) ? validateFields(fields, input, context) : t.failure(input, context, `${name} (an object)`),
  );

/** An object that is not a list. */
export const isRecord = (input: unknown): input is Fields =>
  typeof input === 'object' && input !== null && !Array.isArray(input);

/** Whether the named fields of an object fit. Stops at the first one that does not, and says nothing about it. */
export const fieldsFit = ({ required, optional, check }: Shape, input: Fields): boolean => {
  for (const key in required) if (required[key]?.is(input[key]) !== true) return false;
  for (const key in optional) if (input[key] !== undefined && optional[key]?.is(input[key]) !== true) return false;
  return check(input) === null;
};

/**
 * Validates the named fields of an object and reports every one that does not fit. The check of the whole is made only
 * when all of them do.
 */
export const validateFields = (
  { required, optional, check }: Shape,
  input: Fields,
  context: t.Context,
): t.Validation<unknown> => {
  const errors: t.ValidationError[] = [];
  for (const key in required) errors.push(...faults(required[key] as AnyCodec, input[key], key, context));
  for (const key in optional)
    if (input[key] !== undefined) errors.push(...faults(optional[key] as AnyCodec, input[key], key, context));
  const wrong = errors.length > 0 ? null : check(input);
  return wrong === null ? verdict(input, errors) : t.failure(input, context, wrong);
};

const noErrors: t.Errors = [];

/** What is wrong with one field, under its path; empty when it fits. */
export const faults = (type: AnyCodec, input: unknown, key: string, context: t.Context): t.Errors => {
  const result = type.validate(input, t.appendContext(context, key, type, input)) as t.Validation<unknown>;
  return result._tag === 'Left' ? result.left : noErrors;
};

/** The input itself when there are no errors, else the errors. */
export const verdict = (input: unknown, errors: t.Errors): t.Validation<unknown> =>
  errors.length > 0 ? t.failures(errors) : t.success(input);
