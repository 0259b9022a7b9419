import { given, has, type Probes } from './probe';

const odd = (n: number): boolean => n % 2 === 1;
export const array: Probes = {
  at: () => [1, 2].at(-1) === 2 && [1].at(0) === 1 && [].at(0) === undefined,
  concat: () => has([1].concat([2, 3], 4), 1, 2, 3, 4),
  every: () => [1, 3].every(odd) && ![1, 2].every(odd),
  fill: () => has([1, 2].fill(0), 0, 0),
  filter: () =>
    has([1, 2, 3].filter(odd), 1, 3) &&
    has(
      [5, 6].filter((_, i) => i === 1),
      6,
    ),
  find: () => [2, 3, 5].find(odd) === 3 && [2].find(odd) === undefined,
  findIndex: () => [2, 3].findIndex(odd) === 1 && [2].findIndex(odd) === -1,
  flat: () => has([[1], [], [2, 3]].flat(), 1, 2, 3),
  flatMap: () =>
    has(
      [1, 2].flatMap((n, i) => [n, i]),
      1,
      0,
      2,
      1,
    ) &&
    has(
      [1].flatMap((n) => n + 1),
      2,
    ),
  forEach: () => {
    let seen = '';
    ['a', 'b'].forEach((letter, i) => (seen += letter + i));
    return seen === 'a0b1';
  },
  includes: () => [1, NaN].includes(NaN) && ![1].includes(2),
  indexOf: () => [1, 2, 1].indexOf(2) === 1 && [1].indexOf(2) === -1 && [1, 2, 1].indexOf(1, 1) === 2,
  join: () => ['a', 'b'].join('-') === 'a-b' && ['a', 'b'].join() === 'a,b' && [].join('-') === '',
  keys: () => has(given(['a', 'b'].keys()), 0, 1),
  lastIndexOf: () => [1, 2, 1].lastIndexOf(1) === 2 && [1].lastIndexOf(2) === -1,
  map: () =>
    has(
      [1, 2].map((n, i) => 10 * n + i),
      10,
      21,
    ),
  pop: () => {
    const list = [1, 2];
    return list.pop() === 2 && has(list, 1);
  },
  push: () => {
    const list = [1];
    return list.push(2, 3) === 3 && has(list, 1, 2, 3);
  },
  reverse: () => {
    const list = [1, 2];
    return has(list.reverse(), 2, 1) && has(list, 2, 1);
  },
  shift: () => {
    const list = [1, 2];
    return list.shift() === 1 && has(list, 2);
  },
  slice: () => has([1, 2, 3].slice(1), 2, 3) && has([1, 2, 3].slice(0, -1), 1, 2) && has([1].slice(), 1),
  some: () => [2, 3].some(odd) && ![2].some(odd),
  sort: () =>
    has([3, 1, 2].sort(), 1, 2, 3) &&
    has(
      [3, 10, 2].sort((a, b) => b - a),
      10,
      3,
      2,
    ),
  splice: () => {
    const list = [1, 2, 3];
    return has(list.splice(1, 1, 8, 9), 2) && has(list, 1, 8, 9, 3);
  },
  unshift: () => {
    const list = [2];
    return list.unshift(0, 1) === 3 && has(list, 0, 1, 2);
  },
  values: () => has(given(['a', 'b'].values()), 'a', 'b'),
};
