import { type IDBPDatabase, openDB } from 'idb';
import { noop } from 'rxjs';

import { nameOf } from '../model/errors';
import { isKey, newKey } from './encryption';
import { databaseName } from './eraseDatabase';

/** Version of the database (spec C§9). The version grows where object stores have to be added. */
const version = 3;
const keyName = 'key';

/** Names of the object stores of a workspace (contract: `events_…`, `data_…`, `keys_…`). */
export interface StoreNames {
  /** Records of events. */
  readonly events: string;
  /** State by key. */
  readonly data: string;
  /** The encryption key. */
  readonly keys: string;
}

/** An open database, and the key of the workspace. */
export interface Opened {
  readonly db: IDBPDatabase;
  readonly key: CryptoKey;
}

/** Callbacks of an opening. */
export interface OpenDatabaseDeps {
  /** Throws once nobody waits for the database any more, so that nothing is written then. */
  readonly stillWanted: () => void;
  /** The connection is gone, or is being closed for another tab. */
  readonly onClose: () => void;
  /** Hears that object stores were missing. */
  readonly report: (message: string) => void;
}

/**
 * Opens the database with the workspace's object stores and its key, each made where it is missing. Rejects where there
 * is no IndexedDB or no WebCrypto.
 */
export const openDatabase = async (names: StoreNames, deps: OpenDatabaseDeps): Promise<Opened> => {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- absent outside secure contexts
  if (crypto.subtle === undefined) throw new Error('no WebCrypto');
  const db = await openWithStores(Object.values(names) as string[], deps);
  return { db, key: await cryptoKeyOf(db, names.keys, deps) };
};

/**
 * Opens the database with all of these object stores. Stores can only be added in a new version, so a database that
 * lacks some is opened again one version higher.
 */
const openWithStores = async (names: readonly string[], deps: OpenDatabaseDeps): Promise<IDBPDatabase> => {
  const db = await openVersion(names, version, deps).catch((error: unknown) => {
    // The database is beyond this version: another workspace of the site has added its stores, or lost ones were added.
    if (nameOf(error) === 'VersionError') return openVersion(names, undefined, deps);
    throw error;
  });
  const found = names.filter((name) => db.objectStoreNames.contains(name)).length;
  if (found === names.length) return db;
  // None at all is the first visit to this workspace. Some keys but not all are a loss.
  if (found > 0) deps.report('Object store(s) missing.');
  db.close();
  return openVersion(names, db.version + 1, deps);
};

/** Opens the database at a version, the present one by default, and adds missing stores where the version grows. */
const openVersion = (
  names: readonly string[],
  number: number | undefined,
  { stillWanted, onClose }: OpenDatabaseDeps,
): Promise<IDBPDatabase> =>
  openDB(databaseName, number, {
    upgrade: (db, from, _to, transaction) => {
      try {
        // The database that a refusal has erased must not be made again.
        stillWanted();
        for (const name of names) if (!db.objectStoreNames.contains(name)) db.createObjectStore(name);
      } catch {
        // An error that leaves this listener would reach the page's onerror.
        transaction.done.catch(noop);
        transaction.abort();
        // Safari keeps an empty database. A database that was there before may have stores of other workspaces.
        if (from === 0) indexedDB.deleteDatabase(databaseName);
      }
    },
    // Another tab deletes the database when consent goes, or adds stores to it. The connection gives way, and the next
    // operation opens it again.
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      onClose();
    },
    terminated: onClose,
  });

/** The stored key, or a new one. Where the key was lost, what it has encrypted cannot be read any more. */
const cryptoKeyOf = async (db: IDBPDatabase, name: string, { stillWanted }: OpenDatabaseDeps): Promise<CryptoKey> => {
  const stored: unknown = await db.get(name, keyName);
  if (isKey(stored)) return stored;
  const made = await newKey();
  stillWanted();
  const { store, done } = db.transaction(name, 'readwrite');
  const other: unknown = await store.get(keyName);
  // Another tab has stored a key meanwhile. Both tabs must use the same one.
  if (isKey(other)) return other;
  await Promise.all([store.put(made, keyName), done]);
  return made;
};
