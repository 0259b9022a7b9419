import { type Codec, failure, faultsOfFields, isRecord, type Shape, value } from '../../codecs/codecs';

// What the codecs of the query language need beyond those of stored state. The first script of the worker reads no
// definitions, so it does not have these codecs.

/** One of these values. */
export const oneOf = <const Values extends readonly unknown[]>(...values: Values): Codec<Values[number]> =>
  value(`one of ${values.join(', ')}`, (input) => values.includes(input));

/** Takes one of several codecs after a look at the input, so that only that one reports what is wrong. */
export const choose =
  <A>(pick: (input: unknown) => Codec<A>): Codec<A> =>
  (input) =>
    pick(input)(input);

/** An object of a shape without any other key. */
export const closed = <A>(name: string, fields: Shape<A>): Codec<A> =>
  taggedUnion(name, { [fields.keys.find(([, , isRequired]) => isRequired)?.[0] ?? '']: fields });

/** All keys of the members of a union. */
type KeysOf<Union> = Union extends unknown ? keyof Union : never;
/**
 * By tag, the shape of each member of a union. Other keys of the members are no tags. A member that is forgotten is an
 * error of the compiler.
 */
export type Cases<Union, Others extends PropertyKey = never> = {
  readonly [Tag in Exclude<KeysOf<Union>, Others>]: Shape<Union>;
};

/**
 * A union told apart by which tag key an object carries. Only one alternative is looked at, so a fault is reported
 * once, where it is, and the time does not grow with the number of alternatives.
 */
export const taggedUnion = <A>(name: string, cases: Readonly<Record<string, Shape<A>>>): Codec<A> => {
  const table = new Map(
    Object.entries(cases).map(([tag, fields]) => [tag, { fields, keys: new Set(fields.keys.map(([key]) => key)) }]),
  );
  const caseOf = (
    keys: readonly string[],
  ): { readonly fields: Shape; readonly keys: ReadonlySet<string> } | undefined => {
    const tags = keys.filter((key) => table.has(key));
    // A tag may also be a companion of another, as `before` is of `after`: it must be one that admits all others.
    const tag = tags.find((candidate) => tags.every((other) => table.get(candidate)?.keys.has(other)));
    return tag === undefined ? undefined : table.get(tag);
  };
  return (input) => {
    if (!isRecord(input)) return failure(`${name} (an object)`);
    const keys = Object.keys(input);
    const found = caseOf(keys);
    if (found === undefined) return failure(`${name} with exactly one of ${[...table.keys()].join(', ')}`);
    return keys.every((key) => found.keys.has(key))
      ? faultsOfFields(found.fields, input)
      : failure(`${name} with only ${[...found.keys].join(', ')}`);
  };
};
