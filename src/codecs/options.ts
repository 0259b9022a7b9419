import { AnyRecord, type Codec, type Fields, object, readOr, shape } from './codecs';

/** What each option has to be, and its default. */
export type OptionFields<Options> = {
  readonly [Name in keyof Options]-?: readonly [codec: Codec<NonNullable<Options[Name]>>, fallback: Options[Name]];
};

/**
 * Makes the `options` function of an addon. The function reads the options one by one: a wrong one is reported to
 * `onFault` and replaced by its default, unknown ones are left out.
 */
export const optionsOf =
  <Options>(fields: OptionFields<Options>) =>
  (input: unknown, onFault: (cause: unknown) => void): Options => {
    const given = readOr<Fields, Fields>(AnyRecord, input ?? {}, {}, onFault);
    const read = ([name, [codec, fallback]]: [string, readonly [Codec<unknown>, unknown]]): [string, unknown] => {
      if (!Object.hasOwn(given, name) || given[name] === undefined) return [name, fallback];
      const option = object<Fields>('options', shape({ [name]: codec }));
      return [name, readOr(option, given, { [name]: fallback }, onFault)[name]];
    };
    return Object.fromEntries(Object.entries<readonly [Codec<unknown>, unknown]>(fields).map(read)) as Options;
  };
