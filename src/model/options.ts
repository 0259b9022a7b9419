import * as t from 'io-ts';

import { decodeOr } from './decode';

/** What each option decodes to, and its default. */
export type OptionFields<Options> = {
  readonly [Name in keyof Options]: readonly [codec: t.Type<Options[Name]>, fallback: Options[Name]];
};

/**
 * Makes the `options` function of an addon. It reads the options one by one: a wrong one is reported to `onFault` and
 * replaced by its default, unknown ones are left out.
 */
export const optionsOf =
  <Options>(fields: OptionFields<Options>) =>
  (input: unknown, onFault: (cause: unknown) => void): Options => {
    const given: Readonly<Record<string, unknown>> = decodeOr(t.UnknownRecord, input ?? {}, {}, onFault);
    const read = ([name, [codec, fallback]]: [string, readonly [t.Mixed, unknown]]): [string, unknown] => {
      const isGiven = Object.hasOwn(given, name) && given[name] !== undefined;
      return [
        name,
        isGiven ? decodeOr(t.type({ [name]: codec }), given, { [name]: fallback }, onFault)[name] : fallback,
      ];
    };
    return Object.fromEntries(Object.entries(fields as Record<string, [t.Mixed, unknown]>).map(read)) as Options;
  };
