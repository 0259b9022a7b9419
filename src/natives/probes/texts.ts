import { given, has, type Probes } from './probe';

export const string: Probes = {
  at: () => 'ab'.at(-1) === 'b' && 'ab'.at(0) === 'a',
  charCodeAt: () => 'ab'.charCodeAt(1) === 98,
  codePointAt: () => '\u{1F600}'.codePointAt(0) === 0x1f600,
  concat: () => 'a'.concat('b') === 'ab',
  endsWith: () => 'abc'.endsWith('bc') && !'abc'.endsWith('b'),
  includes: () => 'abc'.includes('b') && !'abc'.includes('d'),
  indexOf: () => 'abcb'.indexOf('b') === 1 && 'abcb'.indexOf('b', 2) === 3 && 'a'.indexOf('b') === -1,
  lastIndexOf: () => 'abcb'.lastIndexOf('b') === 3 && 'a'.lastIndexOf('b') === -1,
  match: () => has('a12'.match(/\d/g) ?? [], '1', '2') && 'a'.match(/\d/) === null && 'a1'.match(/\d/)?.[0] === '1',
  matchAll: () => {
    const found = given('a1b2'.matchAll(/[a-z](\d)/g)) as readonly (readonly string[])[];
    return found.length === 2 && found[1]?.[1] === '2';
  },
  normalize: () => 'e\u0301'.normalize('NFC') === '\u00e9' && 'a'.normalize() === 'a',
  padStart: () => '7'.padStart(3, '0') === '007',
  replace: () =>
    'aba'.replace('a', 'c') === 'cba' &&
    'aba'.replace(/a/g, (a) => a + a) === 'aabaa' &&
    'ab'.replace(/(a)(b)/, '$2$1') === 'ba',
  slice: () => 'abc'.slice(1) === 'bc' && 'abc'.slice(0, -1) === 'ab' && 'abc'.slice(-1) === 'c',
  split: () => has('a,b'.split(','), 'a', 'b') && has('ab'.split(''), 'a', 'b') && has('a1b'.split(/\d/), 'a', 'b'),
  startsWith: () => 'abc'.startsWith('ab') && !'abc'.startsWith('b') && 'abc'.startsWith('b', 1),
  toLowerCase: () => 'aB'.toLowerCase() === 'ab',
  toUpperCase: () => 'aB'.toUpperCase() === 'AB',
  trim: () => ' a '.trim() === 'a',
};
