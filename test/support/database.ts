import 'fake-indexeddb/auto';

import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { lastValueFrom, type Observable } from 'rxjs';

import { databaseName } from '../../src/platform/eraseDatabase';
import { idbStore, type IdbStoreDeps } from '../../src/platform/idbStore';
import type { EventStore } from '../../src/platform/platform';

/** A browser’s database that nobody has opened yet. */
export const newDatabase = (): void => {
  globalThis.indexedDB = new IDBFactory();
};

/** A connection to the encrypted store, as each page has its own. */
export const storeOf = (workspaceId = 'w', deps: Partial<IdbStoreDeps> = {}): EventStore =>
  idbStore(workspaceId, { userAgent: 'Browser', report: () => undefined, ...deps });

export const done = <A>(action$: Observable<A>): Promise<A | undefined> =>
  lastValueFrom(action$, { defaultValue: undefined });

/** Everything in the database, by object store. */
export const contents = async (): Promise<Record<string, Record<string, unknown>>> => {
  const db = await openDB(databaseName);
  const all: Record<string, Record<string, unknown>> = { database: { version: db.version } };
  for (const name of db.objectStoreNames) {
    const keys = await db.getAllKeys(name);
    all[name] = Object.fromEntries(
      await Promise.all(keys.map(async (key) => [key as string, await db.get(name, key)] as const)),
    );
  }
  db.close();
  return all;
};

/** Changes what is stored, behind the store’s back. */
export const tamper = async (name: string, change: (key: string, value: unknown) => unknown): Promise<void> => {
  const db = await openDB(databaseName);
  for (const key of await db.getAllKeys(name)) {
    const changed = change(key as string, await db.get(name, key));
    await (changed === undefined ? db.delete(name, key) : db.put(name, changed, key));
  }
  db.close();
};

/** One key of each type that IndexedDB takes beside text. */
export const keysOfOtherTypes: readonly IDBValidKey[] = [1, new Date(0), new Uint8Array([1]).buffer, [], ['p/1', 1]];

/** Writes a record under each of {@link keysOfOtherTypes}, behind the back of the SDK. */
export const writeOtherKeys = async (database: string, store: string, record: unknown): Promise<void> => {
  const db = await openDB(database);
  for (const key of keysOfOtherTypes) await db.put(store, record, key);
  db.close();
};
