import { type AnyCodec, AnyRecord, type Codec, type Fields, object, readOr, shape } from './codecs';

/** What each option has to be, and its default. */
type OptionFields = Readonly<Record<string, readonly [codec: AnyCodec, fallback: unknown]>>;

/** The options of such fields, with the docstrings of the fields. */
export type OptionsOf<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends readonly [Codec<infer Option>, infer Fallback]
    ? Option | Extract<Fallback, undefined>
    : never;
};

/**
 * Makes the `options` function of an addon. The function reads the options one by one: a wrong one is reported to
 * `onFault` and replaced by its default, unknown ones are left out.
 */
export const optionsOf =
  <const Named extends OptionFields>(fields: Named) =>
  (input: unknown, onFault: (cause: unknown) => void): OptionsOf<Named> => {
    const given = readOr<Fields, Fields>(AnyRecord, input ?? {}, {}, onFault);
    const read = ([name, [codec, fallback]]: [string, readonly [AnyCodec, unknown]]): [string, unknown] => {
      if (!Object.hasOwn(given, name) || given[name] === undefined) return [name, fallback];
      const option = object<Fields>('options', shape({ [name]: codec }));
      return [name, readOr(option, given, { [name]: fallback }, onFault)[name]];
    };
    return Object.fromEntries(Object.entries(fields).map(read)) as OptionsOf<Named>;
  };
