import { given, has, type Probes } from './probe';

export const map: Probes = {
  clear: () => {
    const known = new Map([['a', 1]]);
    known.clear();
    return known.size === 0;
  },
  delete: () => {
    const known = new Map([['a', 1]]);
    return known.delete('a') && !known.delete('a') && known.size === 0;
  },
  entries: () => has(given(new Map([['a', 1]]).entries())[0] as readonly unknown[], 'a', 1),
  forEach: () => {
    let seen = '';
    new Map([['a', 1]]).forEach((value, key) => (seen += key + value));
    return seen === 'a1';
  },
  get: () => new Map([['a', 1]]).get('a') === 1 && new Map().get('a') === undefined,
  has: () => new Map([['a', 1]]).has('a') && !new Map([['a', 1]]).has('b'),
  keys: () => has(given(new Map([['a', 1]]).keys()), 'a'),
  set: () => {
    const known = new Map<string, number>();
    return known.set('a', 1) === known && known.size === 1 && known.get('a') === 1;
  },
  values: () => has(given(new Map([['a', 1]]).values()), 1),
};
export const set: Probes = {
  add: () => {
    const known = new Set<number>();
    return known.add(1) === known && known.size === 1 && known.add(1).size === 1;
  },
  clear: () => {
    const known = new Set([1]);
    known.clear();
    return known.size === 0;
  },
  delete: () => {
    const known = new Set([1]);
    return known.delete(1) && !known.delete(1) && known.size === 0;
  },
  forEach: () => {
    let seen = 0;
    new Set([1, 2]).forEach((value) => (seen += value));
    return seen === 3;
  },
  has: () => new Set([1]).has(1) && !new Set([1]).has(2),
  values: () => has(given(new Set([1, 2]).values()), 1, 2),
};
const key = {};
export const weakMap: Probes = {
  delete: () => new WeakMap([[key, 1]]).delete(key) && !new WeakMap().delete(key),
  get: () => new WeakMap([[key, 1]]).get(key) === 1 && new WeakMap().get(key) === undefined,
  has: () => new WeakMap([[key, 1]]).has(key) && !new WeakMap().has(key),
  set: () => new WeakMap<object, number>().set(key, 2).get(key) === 2,
};
export const weakSet: Probes = {
  add: () => new WeakSet().add(key).has(key),
  delete: () => new WeakSet([key]).delete(key) && !new WeakSet().delete(key),
  has: () => new WeakSet([key]).has(key) && !new WeakSet().has(key),
};
