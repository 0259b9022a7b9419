import { type IDBPDatabase, openDB } from 'idb';
import { defer, type Observable } from 'rxjs';
import { QuotaError } from '../model/quotaError';
import type { KeyValueStore } from './platform';
import { isQuotaError } from './textStorage';

export const databaseName = 'permutive-store';
const version = 3;

/** Events and state in IndexedDB, one object store each for a workspace (contract: `events_…`, `data_…`). */
export const idbStore = (workspaceId: string): KeyValueStore => {
  const stores = { events: `events_${workspaceId}`, data: `data_${workspaceId}` };
  const nameOf = (key: string): string => (key.startsWith('permutive-events') ? stores.events : stores.data);
  // Opened at first use and kept: opening costs more than reading.
  let opened: Promise<IDBPDatabase> | undefined;
  const database = (): Promise<IDBPDatabase> => {
    opened ??= open(Object.values(stores));
    return opened;
  };
  return {
    read: (key) =>
      fromPromise(async () => {
        const text: unknown = await (await database()).get(nameOf(key), key);
        return typeof text === 'string' ? text : null;
      }),
    write: (key, text) =>
      fromPromise(async () => {
        await (await database()).put(nameOf(key), text, key);
      }),
  };
};

const open = (names: readonly string[]): Promise<IDBPDatabase> =>
  openDB(databaseName, version, {
    upgrade: (db) => {
      for (const name of names) if (!db.objectStoreNames.contains(name)) db.createObjectStore(name);
    },
    // Another tab deletes the database when consent goes: let it.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });

const fromPromise = <A>(action: () => Promise<A>): Observable<A> =>
  defer(() =>
    action().catch((error: unknown) => {
      throw isQuotaError(error) ? new QuotaError() : error;
    }),
  );
