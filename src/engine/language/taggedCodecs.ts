import * as t from 'io-ts';

import {
  type AnyCodec,
  type Codec,
  codec,
  faults,
  fieldsFit,
  isRecord,
  type Shape,
  validateFields,
  verdict,
} from './codecs';

// What the codecs of the query language need beyond those of stored state.

/** A list with `min` to `max` elements. */
export const list = <A>(item: Codec<A>, min: number, max: number): Codec<readonly A[]> => {
  const name = `a list of ${min} to ${max}`;
  const fits = (input: unknown): input is unknown[] =>
    Array.isArray(input) && input.length >= min && input.length <= max;
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

/** Takes one of several codecs after a look at the input, so that only that one reports what is wrong. */
export const choose = <A>(name: string, pick: (input: unknown) => AnyCodec): Codec<A> =>
  codec(
    name,
    (input) => pick(input).is(input),
    (input, context) => pick(input).validate(input, context) as t.Validation<unknown>,
  );

/** An object of a shape without any other key. */
export const closed = <A>(name: string, fields: Shape): Codec<A> =>
  taggedUnion(name, { [Object.keys(fields.required)[0] ?? '']: fields });

/**
 * A union told apart by which tag key an object carries. Unlike `t.union` it looks at one alternative only,
 * so a fault is reported once, where it is, and the time does not grow with the number of alternatives.
 */
export const taggedUnion = <A>(name: string, cases: Readonly<Record<string, Shape>>): Codec<A> => {
  const table = new Map(
    Object.entries(cases).map(([tag, fields]) => [
      tag,
      { fields, keys: new Set([...Object.keys(fields.required), ...Object.keys(fields.optional)]) },
    ]),
  );
  const caseOf = (
    keys: readonly string[],
  ): { readonly fields: Shape; readonly keys: ReadonlySet<string> } | undefined => {
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
    if (found === undefined)
      return t.failure(input, context, `${name} with exactly one of ${[...table.keys()].join(', ')}`);
    if (keys.some((key) => !found.keys.has(key)))
      return t.failure(input, context, `${name} with only ${[...found.keys].join(', ')}`);
    return validateFields(found.fields, input, context);
  });
};
