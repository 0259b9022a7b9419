import 'fake-indexeddb/auto';
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { openDB } from 'idb';
import { firstValueFrom } from 'rxjs';
import { QuotaError } from '../../src/model/quotaError';
import { databaseName, idbStore } from '../../src/platform/idbStore';
import type { KeyValueStore } from '../../src/platform/platform';

/* eslint-disable rxjs-x/no-ignored-default-value -- reads and writes answer, or fail their test */
const read = (store: KeyValueStore, key: string): Promise<string | null> => firstValueFrom(store.read(key));
const write = (store: KeyValueStore, key: string, text: string): Promise<void> => firstValueFrom(store.write(key, text));
/* eslint-enable rxjs-x/no-ignored-default-value */

/** Everything in the database, by object store. */
const contents = async (): Promise<Record<string, unknown>> => {
  const db = await openDB(databaseName);
  const all: Record<string, unknown> = { version: db.version };
  for (const name of db.objectStoreNames) {
    const keys = await db.getAllKeys(name);
    all[name] = Object.fromEntries(await Promise.all(keys.map(async (key) => [key as string, await db.get(name, key)] as const)));
  }
  db.close();
  return all;
};

const errorNamed = (name: string): DOMException => new DOMException('no', name);

// In a browser, errors of the database are errors like any other; jest has an Error of its own beside theirs.
const ofNode: unknown = Object.getPrototypeOf(DOMException.prototype);
beforeAll(() => void Object.setPrototypeOf(DOMException.prototype, Error.prototype));
afterAll(() => void Object.setPrototypeOf(DOMException.prototype, ofNode as object));

afterEach(() => jest.restoreAllMocks());
beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

describe('idbStore', () => {
  it('has nothing at first', async () => {
    await expect(read(idbStore('w'), 'permutive-events-cache')).resolves.toBeNull();
  });

  it('gives back what was written, events and state each in a store of their own', async () => {
    const store = idbStore('w');
    await write(store, 'permutive-events-cache', '[1]');
    await write(store, 'permutive-events-for-page', '[2]');
    await write(store, 'permutive-data-queries', '{}');
    await expect(read(store, 'permutive-events-cache')).resolves.toBe('[1]');
    await expect(contents()).resolves.toEqual({
      version: 3,
      events_w: { 'permutive-events-cache': '[1]', 'permutive-events-for-page': '[2]' },
      data_w: { 'permutive-data-queries': '{}' },
    });
  });

  it('keeps the last of two values', async () => {
    const store = idbStore('w');
    await write(store, 'permutive-data-misc', 'a');
    await write(store, 'permutive-data-misc', 'b');
    await expect(read(store, 'permutive-data-misc')).resolves.toBe('b');
  });

  it('shows another tab what it has written', async () => {
    await write(idbStore('w'), 'permutive-data-misc', 'a');
    await expect(read(idbStore('w'), 'permutive-data-misc')).resolves.toBe('a');
  });

  it('opens nothing before it is asked', async () => {
    void idbStore('w').read('permutive-data-misc');
    await expect(indexedDB.databases()).resolves.toEqual([]);
  });

  it('takes what is no text for nothing', async () => {
    const store = idbStore('w');
    await write(store, 'permutive-data-misc', 'a');
    const db = await openDB(databaseName);
    await db.put('data_w', { not: 'text' }, 'permutive-data-misc');
    db.close();
    await expect(read(store, 'permutive-data-misc')).resolves.toBeNull();
  });

  it('says that there is no room', async () => {
    jest.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw errorNamed('QuotaExceededError');
    });
    await expect(write(idbStore('w'), 'permutive-data-misc', 'a')).rejects.toBeInstanceOf(QuotaError);
  });

  it('passes other errors on', async () => {
    jest.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw errorNamed('SecurityError');
    });
    await expect(read(idbStore('w'), 'permutive-data-misc')).rejects.toMatchObject({ name: 'SecurityError' });
  });

  it('lets another tab delete the database', async () => {
    await write(idbStore('w'), 'permutive-data-misc', 'a');
    await new Promise((resolve, reject) => {
      const deleting = indexedDB.deleteDatabase(databaseName);
      deleting.onsuccess = resolve;
      deleting.onblocked = () => reject(new Error('blocked'));
    });
    await expect(indexedDB.databases()).resolves.toEqual([]);
  });

  it('serves two workspaces of one origin', async () => {
    await write(idbStore('w'), 'permutive-data-misc', 'a');
    const other = idbStore('x');
    await write(other, 'permutive-data-misc', 'b');
    await expect(read(other, 'permutive-data-misc')).resolves.toBe('b');
    await expect(read(idbStore('w'), 'permutive-data-misc')).resolves.toBe('a');
  });
});
