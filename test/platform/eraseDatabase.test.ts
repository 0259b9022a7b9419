import { openDB } from 'idb';

import { databaseName, eraseDatabase } from '../../src/platform/eraseDatabase';
import { contents, done, newDatabase, storeOf } from '../support/database';
import { settled, until } from '../support/waiting';

const state = 'permutive-data-queries';

beforeEach(newDatabase);

describe.each([true, false])('erasing (the page has used the store: %p)', (used) => {
  it('removes the database, though a page holds it open', async () => {
    const store = storeOf();
    await done(store.write(state, 'a'));
    await done(eraseDatabase(globalThis, used));
    await expect(indexedDB.databases()).resolves.toEqual([]);
  });

  it('leaves none where there was none', async () => {
    await done(eraseDatabase(globalThis, used));
    await expect(indexedDB.databases()).resolves.toEqual([]);
  });

  it('comes before whoever opens it next', async () => {
    await done(storeOf().write(state, 'a'));
    const erasing = done(eraseDatabase(globalThis, used));
    const next = storeOf();
    await expect(done(next.read(state))).resolves.toBeNull();
    await done(next.write(state, 'b'));
    await erasing;
    await expect(done(next.read(state))).resolves.toBe('b');
  });

  it.each([
    ['missing', undefined],
    [
      'refused',
      {
        open: () => {
          throw new Error('no');
        },
        deleteDatabase: () => {
          throw new Error('no');
        },
      },
    ],
  ])('is done at once where IndexedDB is %s', async (_, indexedDB) => {
    await done(eraseDatabase({ indexedDB: indexedDB as unknown as IDBFactory }, used));
  });
});

it('empties a database that somebody else does not let go', async () => {
  const store = storeOf();
  await done(store.write(state, 'a'));
  const stubborn = await openDB(databaseName);
  const erasing = eraseDatabase(globalThis, true).subscribe();
  await settled();
  expect(erasing.closed).toBe(false);
  await expect(stubborn.getAll('data_w')).resolves.toEqual([]);
  await expect(stubborn.getAll('keys_w')).resolves.toEqual([]);
  stubborn.close();
  await until(() => erasing.closed);
  await expect(contents()).resolves.toEqual({ database: { version: 1 } });
});
