import { done } from '../support/database';
import { keyValueStore } from '../support/keyValueStore';

const before = 'permutive-events-cache';
const thisPage = 'permutive-events-for-page';

describe('listStore', () => {
  it('has a record for each list there is', async () => {
    await expect(done(keyValueStore().records())).resolves.toEqual([]);
    await expect(done(keyValueStore({ [thisPage]: '[1]' }).records())).resolves.toEqual([
      { key: thisPage, text: '[1]' },
    ]);
    await expect(done(keyValueStore({ [before]: '[1]', [thisPage]: '[]' }).records())).resolves.toEqual([
      { key: before, text: '[1]' },
      { key: thisPage, text: '[]' },
    ]);
  });

  it.each([
    ['to nothing', {}, [], { [thisPage]: '[1,2,3]' }],
    ['to an empty list', { [thisPage]: '[]' }, [], { [thisPage]: '[1,2,3]' }],
    ['to what is there', { [thisPage]: '[0]' }, [], { [thisPage]: '[0,1,2,3]' }],
    ['in its place', { [thisPage]: '[0]' }, [thisPage], { [thisPage]: '[1,2,3]' }],
    ['beside the other list', { [before]: '[0]' }, [], { [before]: '[0]', [thisPage]: '[1,2,3]' }],
    ['in place of the other list', { [before]: '[0]' }, [before], { [thisPage]: '[1,2,3]' }],
  ])('adds %s', async (_, stored, stale, expected) => {
    const store = keyValueStore(stored);
    await expect(
      done(
        store.replace(stale, [
          [thisPage, '[1,2]'],
          [thisPage, '[]'],
          [thisPage, '[3]'],
        ]),
      ),
    ).resolves.toEqual([thisPage, thisPage, thisPage]);
    expect(Object.fromEntries(store.texts)).toEqual(expected);
  });

  it('removes a list only once its events are in the other', async () => {
    const store = keyValueStore({ [thisPage]: '[1]' });
    store.refuse = () => new Error('broken');
    await expect(done(store.replace([thisPage], [[before, '[1]']]))).rejects.toThrow('broken');
    expect(Object.fromEntries(store.texts)).toEqual({ [thisPage]: '[1]' });
  });

  it('clears its lists, and nothing else', async () => {
    const store = keyValueStore({ [before]: '[1]', [thisPage]: '[2]', 'permutive-data-queries': '{}' });
    await done(store.clear());
    expect([...store.texts.keys()]).toEqual(['permutive-data-queries']);
  });
});
