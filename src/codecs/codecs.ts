/**
 * Says where an input is wrong and what was expected there. The message never quotes the value, which may be personal
 * data.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';

  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ path, expected }) => `${path || '(root)'}: expected ${expected}`).join('; '));
  }
}

/** One wrong place of an input. */
export interface Fault {
  /** Such as `queries/3/id`; empty for the input itself. */
  readonly path: string;
  readonly expected: string;
}

/**
 * What an input has to look like: answers what is wrong with it, each fault at its path within the input, and nothing
 * where the input is an `A`. A codec changes and copies nothing. See docs/decisions/034-codecs.md.
 */
export interface Codec<A> {
  (input: unknown): readonly Fault[];
  /** Never set. By it, the compiler tells codecs of different types apart. */
  readonly type?: A;
}
/** A codec of whatever type. */
export type AnyCodec = Codec<unknown>;

/** The type of the inputs that fit a codec, or of the objects of a shape. */
export type TypeOf<Described> = Described extends { readonly type?: infer A } ? A : never;

/** The input itself where it fits the codec, else what is wrong with it. Never throws. */
export const readAs = <A>(codec: Codec<A>, input: unknown): A | DecodeError => {
  try {
    const faults = codec(input);
    // Asked here as well, because callers ask it of the answer and a proxy of the page may throw then.
    return faults.length === 0 && !(input instanceof DecodeError) ? (input as A) : new DecodeError(faults);
  } catch {
    // A getter or proxy of the page has thrown.
    return new DecodeError(failure('what can be read'));
  }
};

/** Reads an input as an `A`, which may be a changed copy, or says what is wrong with it. Never throws. */
export type Reader<A> = (input: unknown) => A | DecodeError;
/** Reads an input as it is. */
export const readerOf =
  <A>(codec: Codec<A>): Reader<A> =>
  (input) =>
    readAs(codec, input);

/** The input itself where it fits the codec. Otherwise tells `onFault` why, and answers `fallback`. */
export const readOr = <A, B>(
  codec: Codec<A>,
  input: unknown,
  fallback: B,
  onFault: (error: DecodeError) => void,
): A | B => {
  const read = readAs(codec, input);
  if (!(read instanceof DecodeError)) return read;
  onFault(read);
  return fallback;
};

/** Where an input fits. Shared, because nearly all inputs do. */
const noFaults: readonly Fault[] = [];
/** Faults that are told of one input. A server or a store may send a list of a million wrong items. */
export const maxFaults = 1000;
/** The fault of an input as a whole. */
export const failure = (expected: string): readonly Fault[] => [{ path: '', expected }];

/**
 * A value that passes a test; `name` says in words what is expected. The type is what the test tells, as `input === 1`
 * tells of a 1. Where the test accepts a part of a type only, such as the numbers above 0, the caller names the type.
 */
export const value: ValueCodec =
  <A>(name: string, accepts: (input: unknown) => boolean): Codec<A> =>
  (input) =>
    accepts(input) ? noFaults : failure(name);
interface ValueCodec {
  <A>(name: string, accepts: (input: unknown) => input is A): Codec<A>;
  // oxlint-disable-next-line typescript/unified-signatures -- One signature would infer no type from a test.
  <A>(name: string, accepts: (input: unknown) => boolean): Codec<A>;
}

/** A value of one type of JavaScript, such as `string`; NaN is a number. */
const typed = <A>(type: string): Codec<A> => value<A>(type, (input) => typeof input === type);
export const AnyString = /* @__PURE__ */ typed<string>('string');
export const AnyNumber = /* @__PURE__ */ typed<number>('number');
export const AnyBoolean = /* @__PURE__ */ typed<boolean>('boolean');
/** Whatever the input is. */
export const Anything: Codec<unknown> = () => noFaults;

/** The codec of each key. */
export type KeyCodecs = Readonly<Record<string, AnyCodec>>;

/** What an object may hold, so that it is an `A`. The first key of those required tells it apart from others. */
export interface Shape<A = unknown> {
  /**
   * Keys that must be there and fit, then those that may be absent or undefined, and fit otherwise. The keys are a
   * list, because a page may have added keys to all objects, which `for in` would find.
   */
  readonly keys: readonly (readonly [key: string, codec: AnyCodec, isRequired: boolean])[];
  /** A check of the whole, made when all fields fit: what is wrong, in words. */
  readonly check: (input: Fields) => string | null;
  /** Never set. By it, the compiler knows the type of the objects. */
  readonly type?: A;
}

/**
 * The type of an object, from the codecs of its required and optional fields. The type has the docstrings of the fields
 * as they stand there.
 */
export type ObjectOf<Required, Optional> = Plain<
  { readonly [Key in keyof Required]: TypeOf<Required[Key]> } & (string extends keyof Optional
    ? { readonly [Key in keyof Optional]: TypeOf<Optional[Key]> }
    : { readonly [Key in keyof Optional]?: TypeOf<Optional[Key]> })
>;
/** The same type as one list of fields. */
type Plain<Type> = { [Key in keyof Type]: Type[Key] };

/** An object whose fields are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Makes a shape; without `check`, fields that fit are enough. */
export const shape: MakeShape = (
  required: KeyCodecs,
  optional: KeyCodecs = {},
  check: Shape['check'] = () => null,
): Shape<never> => ({
  check,
  keys: [required, optional].flatMap((fields) =>
    Object.entries(fields).map(([key, codec]) => [key, codec, fields === required] as const),
  ),
});
interface MakeShape {
  <Required extends KeyCodecs>(required: Required): Shape<ObjectOf<Required, unknown>>;
  <Required extends KeyCodecs, Optional extends KeyCodecs>(
    required: Required,
    optional: Optional,
    check?: Shape['check'],
  ): Shape<ObjectOf<Required, Optional>>;
}

/** An object of a shape; keys that the shape does not name are let through and kept. */
export const object =
  <A>(name: string, fields: Shape<A>): Codec<A> =>
  (input) =>
    isRecord(input) ? faultsOfFields(fields, input) : failure(name);

/** An object that is not a list. */
export const isRecord = (input: unknown): input is Fields =>
  typeof input === 'object' && input !== null && !Array.isArray(input);

/** An object of whatever fields. */
export const AnyRecord = /* @__PURE__ */ value<Fields>('UnknownRecord', isRecord);

/**
 * The faults of all named fields of an object. The check of the whole is made only where every field fits.
 */
export const faultsOfFields = ({ keys, check }: Shape, input: Fields): readonly Fault[] => {
  let faults = noFaults;
  for (const [key, codec, isRequired] of keys)
    if (isRequired || fieldOf(input, key) !== undefined) faults = withFaults(faults, key, codec(fieldOf(input, key)));
  if (faults.length > 0) return faults;
  const wrong = check(input);
  return wrong === null ? noFaults : failure(wrong);
};

/**
 * A field of an object. One that the page has added to all objects is not there; an object may have others from a class
 * of its own.
 */
const fieldOf = (input: Fields, key: string): unknown =>
  key in Object.prototype && !Object.hasOwn(input, key) ? undefined : input[key];

/** A list with `min` to `max` elements; `name` says in words what is expected. */
export const list = <A>(
  item: Codec<A>,
  min = 0,
  max = Infinity,
  name = max === Infinity ? 'a list' : `a list of ${min} to ${max}`,
): Codec<readonly A[]> => {
  const wrongLength = failure(name);
  return (input) => {
    if (!Array.isArray(input) || input.length < min || input.length > max) return wrongLength;
    let faults = noFaults;
    for (let i = 0; i < input.length && faults.length < maxFaults; i++) faults = withFaults(faults, i, item(input[i]));
    return faults;
  };
};

/** An object whose values all fit, whatever their keys are. */
export const table = <A>(name: string, item: Codec<A>): Codec<Readonly<Record<string, A>>> => {
  const noObject = failure(`${name} (an object)`);
  return (input) => {
    if (!isRecord(input)) return noObject;
    let faults = noFaults;
    for (const [key, entry] of Object.entries(input)) faults = withFaults(faults, key, item(entry));
    return faults;
  };
};

/** Adds the faults that were found under a key. Paths are written only where there are faults. */
const withFaults = (faults: readonly Fault[], key: string | number, found: readonly Fault[]): readonly Fault[] =>
  found.length === 0 || faults.length >= maxFaults
    ? faults
    : [
        ...faults,
        ...found.map(({ path, expected }) => ({ path: path === '' ? `${key}` : `${key}/${path}`, expected })),
      ];
