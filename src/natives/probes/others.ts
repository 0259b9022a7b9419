import { has, type Probe, type Probes } from './probe';

export const bytes: Probes = {
  fill: () => has(new Uint8Array(2).fill(3), 3, 3),
  forEach: () => {
    let seen = '';
    new Uint8Array([7, 8]).forEach((byte, i) => (seen += `${byte}${i};`));
    return seen === '70;81;';
  },
  map: () =>
    has(
      new Uint8Array([1, 2]).map((byte) => byte + 1),
      2,
      3,
    ),
  set: () => {
    const target = new Uint8Array(3);
    target.set([1, 2], 1);
    return has(target, 0, 1, 2);
  },
  slice: () => has(new Uint8Array([1, 2, 3]).slice(1), 2, 3),
  subarray: () => has(new Uint8Array([1, 2, 3]).subarray(1, 2), 2),
};

export function sum(this: { readonly start: number }, ...numbers: readonly number[]): number {
  let total = this.start;
  for (let i = 0; i < numbers.length; i += 1) total += numbers[i] ?? 0;
  return total;
}
export const callable: Probes = {
  apply: () => sum.apply({ start: 1 }, [2, 3]) === 6,
  bind: () => sum.bind({ start: 1 }, 2)(3) === 6,
  call: () => sum.call({ start: 1 }, 2, 3) === 6,
};

/** Data that inherits nothing, because JSON calls the `toJSON` that a page has added to all objects. */
const data = { __proto__: null, '"a': { __proto__: null, b: null, c: true } };
const dataText = '{"\\"a":{"b":null,"c":true}}';
export const jsonMembers: Probes = {
  parse: () => {
    const { a, d } = JSON.parse('{"a":{"b":"c"},"d":[1,2.5]}') as { a: { b: unknown }; d: readonly unknown[] };
    const revived = JSON.parse('{"a":1}', (key, value: unknown) => (key === 'a' ? 2 : value)) as { a: unknown };
    return a.b === 'c' && has(d, 1, 2.5) && revived.a === 2;
  },
  stringify: () => JSON.stringify(data) === dataText,
};

export const buffer: Probes = {
  isView: () => ArrayBuffer.isView(new Uint8Array(1)) && !ArrayBuffer.isView([1]),
};

/** Functions without an owner, and those of other ones. */
export const others: Readonly<Record<string, Probe>> = {
  'crypto.getRandomValues': () => {
    const [first, second] = [new Uint8Array(8), new Uint8Array(8)];
    if (crypto.getRandomValues(first) !== first || crypto.getRandomValues(second) !== second) return false;
    for (let i = 0; i < first.length; i += 1) if (first[i] !== second[i]) return true;
    return false;
  },
  encodeURIComponent: () => encodeURIComponent('a b/\u00e9') === 'a%20b%2F%C3%A9',
  decodeURIComponent: () => decodeURIComponent('a%20b%2F%C3%A9') === 'a b/\u00e9',
  isNaN: () => isNaN(NaN) && !isNaN(1),
  parseInt: () => parseInt('12px', 10) === 12 && parseInt('ff', 16) === 255,
};
