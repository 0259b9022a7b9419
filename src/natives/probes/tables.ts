import { has, type Probes } from './probe';

/** A table that shares a name with another one, so that what is inherited can be told. */
export const child = (): Record<string, unknown> =>
  ({ __proto__: { inherited: 1 }, own: 2 }) as Record<string, unknown>;
export const object: Probes = {
  assign: () => {
    const target: Record<string, number> = { a: 1 };
    return Object.assign(target, { b: 2 }, null) === target && target['a'] === 1 && target['b'] === 2;
  },
  create: () => (Object.create({ inherited: 1 }) as { inherited: number }).inherited === 1,
  defineProperties: () => Object.defineProperties({ a: 0 }, { a: { get: () => 1 } }).a === 1,
  defineProperty: () => {
    const target = { a: 0, b: 0 };
    Object.defineProperty(target, 'a', { get: () => 1 });
    return Object.defineProperty(target, 'b', { value: 2, enumerable: false }) === target && target.a + target.b === 3;
  },
  entries: () => {
    const entries = Object.entries(child());
    return entries.length === 1 && has(entries[0] ?? [], 'own', 2);
  },
  freeze: () => {
    const frozen = { a: 1 };
    return Object.freeze(frozen) === frozen;
  },
  fromEntries: () => {
    const pairs = new Map([['a', 1]]);
    return Object.fromEntries(pairs)['a'] === 1 && Object.fromEntries([['b', 2]])['b'] === 2;
  },
  getOwnPropertyDescriptor: () =>
    Object.getOwnPropertyDescriptor({ a: 1 }, 'a')?.value === 1 &&
    Object.getOwnPropertyDescriptor(child(), 'inherited') === undefined,
  getOwnPropertyNames: () => has(Object.getOwnPropertyNames({ a: 1, b: 2 }), 'a', 'b'),
  getPrototypeOf: () => Object.getPrototypeOf([]) === Array.prototype,
  hasOwn: () => Object.hasOwn(child(), 'own') && !Object.hasOwn(child(), 'inherited'),
  is: () => Object.is(NaN, NaN) && !Object.is(0, -0) && !Object.is(1, 2),
  // The functions of Prototype.js list inherited keys too, and no object of the SDK inherits any.
  keys: () => has(Object.keys({ a: 1, b: 2 }), 'a', 'b'),
  setPrototypeOf: () => (Object.setPrototypeOf({}, { inherited: 1 }) as { inherited: number }).inherited === 1,
  values: () => has(Object.values({ a: 1, b: 2 }), 1, 2),
};
