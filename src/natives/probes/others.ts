import { has, type Probes } from './probe';

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
