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
    opened ??= open(Object.values(stores), () => (opened = undefined));
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

/** The database with its object stores; where one is missing (another workspace was here first), it is made with a version of its own. */
const open = async (names: readonly string[], onClose: () => void): Promise<IDBPDatabase> => {
  const db = await openVersion(names, version, onClose).catch((error: unknown) => {
    // Already beyond our version, for that reason.
    if (error instanceof Error && error.name === 'VersionError') return openVersion(names, undefined, onClose);
    throw error;
  });
  if (names.every((name) => db.objectStoreNames.contains(name))) return db;
  db.close();
  return openVersion(names, db.version + 1, onClose);
};

const openVersion = (names: readonly string[], number: number | undefined, onClose: () => void): Promise<IDBPDatabase> =>
  openDB(databaseName, number, {
    upgrade: (db) => {
      for (const name of names) if (!db.objectStoreNames.contains(name)) db.createObjectStore(name);
    },
    // Another tab deletes the database when consent goes, or adds to it: let it. The next operation opens it again.
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      onClose();
    },
  });

const fromPromise = <A>(action: () => Promise<A>): Observable<A> =>
  defer(() =>
    action().catch((error: unknown) => {
      throw isQuotaError(error) ? new QuotaError() : error;
    }),
  );
