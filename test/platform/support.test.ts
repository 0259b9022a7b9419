import { missingSupport } from '../../src/platform/support';

const able = { Map, Set, Worker: Function, Blob };
/** A collection from before iterators. */
const NotIterable = Function;

describe('missingSupport', () => {
  it('is nothing where a browser has it all', () => {
    expect(missingSupport(able)).toBeUndefined();
  });

  it.each([
    ['no Map', { Map: undefined }, 'Maps not supported'],
    ['a Map that is no class', { Map: {} }, 'Maps not supported'],
    ['a Map that cannot be iterated', { Map: NotIterable }, 'Iterable Maps not supported'],
    ['no Set', { Set: undefined }, 'Sets not supported'],
    ['a Set that cannot be iterated', { Set: NotIterable }, 'Iterable Sets not supported'],
    ['no Worker', { Worker: undefined }, 'WebWorkers not supported'],
    ['no Blob', { Blob: undefined }, 'WebWorkers not supported'],
    ['nothing at all', { Map: undefined, Set: undefined, Worker: undefined, Blob: undefined }, 'Maps not supported'],
    ['an arrow function for a Map', { Map: () => undefined }, 'Iterable Maps not supported'],
  ])('names %s', (_, missing, expected) => {
    expect(missingSupport({ ...able, ...missing })).toBe(expected);
  });
});
