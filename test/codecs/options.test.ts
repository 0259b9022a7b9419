import { AnyBoolean, AnyString, list } from '../../src/codecs/codecs';
import { optionsOf } from '../../src/codecs/options';

const read = optionsOf({
  on: [AnyBoolean, true],
  names: [list(AnyString), ['a']],
});
const faultsOf = (input: unknown): readonly [unknown, readonly string[]] => {
  const faults: string[] = [];
  const options = read(input, (cause) => faults.push((cause as Error).message));
  return [options, faults];
};

describe('optionsOf', () => {
  it.each<[string, unknown, object, readonly string[]]>([
    ['nothing', undefined, { on: true, names: ['a'] }, []],
    ['some', { on: false }, { on: false, names: ['a'] }, []],
    [
      'a wrong one beside a right one',
      { on: 'yes', names: ['b'] },
      { on: true, names: ['b'] },
      ['on: expected boolean'],
    ],
    ['one that nobody knows', { other: 1 }, { on: true, names: ['a'] }, []],
    ['one that is undefined', { on: undefined }, { on: true, names: ['a'] }, []],
    ['no object', 7, { on: true, names: ['a'] }, ['(root): expected UnknownRecord']],
    ['what objects inherit', Object.create({ on: false }), { on: true, names: ['a'] }, []],
  ])('takes %s', (_, input, expected, faults) => {
    expect(faultsOf(input)).toEqual([expected, faults]);
  });
});
