import { of, tap } from 'rxjs';

import { listStore } from '../../src/engineHost/listStore';
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
    await done(store.records());
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
    await done(store.records());
    store.refuse = () => new Error('broken');
    await expect(done(store.replace([thisPage], [[before, '[1]']]))).rejects.toThrow('broken');
    expect(Object.fromEntries(store.texts)).toEqual({ [thisPage]: '[1]' });
  });

  it.each([
    ['replaced', [[thisPage, '[2]']], { [thisPage]: '[1,9,2]' }],
    ['moved', [[before, '[1]']], { [before]: '[1]', [thisPage]: '[1,9]' }],
  ] as const)('keeps what another tab has added to a list that is to be %s', async (_, fresh, expected) => {
    const store = keyValueStore({ [thisPage]: '[1]' });
    await done(store.records());
    store.texts.set(thisPage, '[1,9]');
    await done(store.replace([thisPage], fresh));
    expect(Object.fromEntries(store.texts)).toEqual(expected);
  });

  it('keeps what another tab adds between its read and its write', async () => {
    const local = keyValueStore({ [thisPage]: '[1]' });
    const others = ['[1,8]', '[1,8,9]'];
    const store = listStore({
      ...local,
      readVersion: (key) =>
        local.readVersion(key).pipe(tap(() => local.texts.set(thisPage, others.shift() ?? local.texts.get(thisPage)!))),
    });
    await done(store.replace([], [[thisPage, '[2]']]));
    expect(local.texts.get(thisPage)).toBe('[1,8,9,2]');
  });

  it('gives up where other tabs write without a pause', async () => {
    const local = keyValueStore({ [thisPage]: '[1]' });
    const swap = jest.fn(() => of(false));
    const store = listStore({ ...local, swap });
    await expect(done(store.replace([], [[thisPage, '[2]']]))).rejects.toThrow('Other tabs write without a pause');
    expect(swap).toHaveBeenCalledTimes(20);
  });

  it('clears its lists, and nothing else', async () => {
    const store = keyValueStore({ [before]: '[1]', [thisPage]: '[2]', 'permutive-data-queries': '{}' });
    await done(store.clear());
    expect([...store.texts.keys()]).toEqual(['permutive-data-queries']);
  });
});
