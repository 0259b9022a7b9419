import * as fc from 'fast-check';

import { asyncLawOf, codeOf, lawOf, type LawOptions } from '../../support/laws';
import { pollute, polluted } from '../../support/pollution';

/** Personal values that hostile inputs carry; none may turn up in what is told about errors. */
export const email = 'bob@mail.example';
export const persona = 'Xq7Persona';

/** The page that the laws are tried on: what it has added to `Object.prototype`, and on which share of the inputs. */
interface Ground {
  readonly fields: fc.Arbitrary<Readonly<Record<string, unknown>>>;
  readonly share: number;
}
let ground: Ground = { fields: fc.constant({}), share: 1 };
/** Has the laws that are made from now on tried on such a page. */
export const fuzzOn = (page: Ground): void => void (ground = page);

/** How many inputs the laws are given on a page that has added nothing. */
const inputs = 3000;
const sizeOf = (share: number): number => Math.ceil(inputs / share / ground.share);

/** The test that gives the law such an input, on such a page. */
const optionsOf = (holds: (value: never) => unknown): LawOptions => ({
  paste: (name, [value, fields]) => {
    const trial = `(${codeOf(holds)})(${fc.stringify(value)})`;
    return Object.keys(fields as object).length === 0
      ? `it(${name}, () => ${trial});`
      : `it(${name}, async () => {
  const restore = pollute(${fc.stringify(fields)});
  try { await ${trial}; } finally { restore(); }
});`;
  },
});

/** Tries a law on inputs. `share`: how many inputs one call stands for. */
export const fuzz = <A>(arbitrary: fc.Arbitrary<A>, holds: (value: A) => void, share = 1): (() => void) =>
  lawOf(sizeOf(share), optionsOf(holds))(arbitrary, ground.fields, (value, fields) => {
    const input = sprung(value) as A;
    polluted(fields, () => holds(input));
  });

export const fuzzAsync = <A>(
  arbitrary: fc.Arbitrary<A>,
  holds: (value: A) => Promise<void>,
  share = 1,
): (() => Promise<void>) =>
  asyncLawOf(sizeOf(share), optionsOf(holds))(arbitrary, ground.fields, async (value, fields) => {
    const input = sprung(value) as A;
    const restore = pollute(fields);
    try {
      await holds(input);
    } finally {
      restore();
    }
  });

/** A value that nobody may look at before its time, the generator neither. */
class Trap {
  constructor(readonly make: () => unknown) {}
  [fc.toStringMethod](): string {
    return `(${codeOf(this.make)})()`;
  }
}

/** The input itself, with its traps set. */
const sprung = (value: unknown): unknown => {
  if (value instanceof Trap) return value.make();
  if (Array.isArray(value)) return value.map(sprung);
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sprung(inner)])) : value;
};

const throwing = (): never => {
  throw new Error(`of the page: ${persona} ${email}`);
};

/**
 * Values that a page can make and that break what is careless. Made anew each time: nobody may mend them for the next.
 */
const traps: readonly (() => unknown)[] = [
  () => Object.defineProperty({}, 'trap', { get: throwing, enumerable: true }),
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    return proxy;
  },
  () =>
    new Proxy(
      {},
      { get: throwing, ownKeys: throwing, has: throwing, getPrototypeOf: throwing, getOwnPropertyDescriptor: throwing },
    ),
  () => new Proxy(() => undefined, { apply: throwing, get: throwing }),
  () => {
    const cycle: Record<string, unknown> = { persona };
    cycle['self'] = cycle;
    return cycle;
  },
  () => throwing,
  () => () => persona,
  () => Object.create(null) as unknown,
  () => JSON.parse(`{"__proto__":{"polluted":"${persona}"},"constructor":{"prototype":{"polluted":1}}}`) as unknown,
  () => ({ toString: throwing, valueOf: throwing, toJSON: throwing, then: throwing }),
  () => ({ length: 4_000_000_000 }),
  () => ({ [email]: () => undefined, [Symbol.iterator]: throwing }),
  () => Symbol(persona),
  () => 10n,
  () => new Date(NaN),
  () => Number.NaN,
  () => Object.assign(new Error(`${persona} ${email}`), { stack: `${persona}\n    at ${email}:1:2` }),
  () => Array.from({ length: 200 }, (_, i) => ({ i, persona })),
  () => Array.from({ length: 100 }).reduce<unknown>((inner) => ({ inner }), email),
  () => persona.repeat(500),
  () => new Map([[persona, email]]),
  () => new Uint8Array(8),
  () => /x/g,
  () => email,
  () => persona,
  () => '__proto__',
];

/** Anything without code in it. */
export const plain: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
    withTypedArray: true,
    maxDepth: 3,
  }),
  fc.string(),
);

export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...traps).map((make) => new Trap(make)) },
  { weight: 2, arbitrary: plain },
);

/**
 * Text where JSON of a certain kind is expected: cut off, of another type, with keys that pollute, or no JSON at all.
 */
export const brokenJson = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    fc.tuple(valid, fc.nat()).map(([value, cut]) => {
      const text = JSON.stringify(value);
      return text.slice(0, cut % (text.length + 1));
    }),
    fc.json({ maxDepth: 3 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      '',
      'null',
      '0',
      '""',
      '[]',
      '{}',
      'undefined',
      '{"__proto__":{"polluted":1}}',
      '[{"__proto__":{"polluted":1}}]',
      `"${email}"`,
      '[[[[[[]]]]]]',
      '1e999',
      `{"${email}":"${persona}"}`,
    ),
    valid.map((value) =>
      JSON.stringify({ ...(value as object), __proto__: null, constructor: { prototype: { polluted: 1 } } }),
    ),
    valid.map((value) => JSON.stringify([value])),
  );
