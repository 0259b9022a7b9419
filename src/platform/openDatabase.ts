import { type IDBPDatabase, openDB } from 'idb';

import { nameOf } from '../model/errors';
import { isKey, newKey } from './encryption';
import { databaseName } from './eraseDatabase';

const version = 3;
const keyName = 'key';

/** The object stores of a workspace (contract: `events_…`, `data_…`, `keys_…`). */
export interface StoreNames {
  readonly events: string;
  readonly data: string;
  readonly keys: string;
}

export interface Opened {
  readonly db: IDBPDatabase;
  readonly key: CryptoKey;
}

export interface OpenDatabaseDeps {
  /** Throws once nobody waits for the database any more: nothing may be written then. */
  readonly stillWanted: () => void;
  /** The connection is gone, or is being closed for another tab. */
  readonly onClose: () => void;
  readonly report: (message: string) => void;
}

/** The database with the workspace's object stores and its key, each made where it is missing. */
export const openDatabase = async (names: StoreNames, deps: OpenDatabaseDeps): Promise<Opened> => {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- absent outside secure contexts
  if (crypto.subtle === undefined) throw new Error('no WebCrypto');
  const db = await openWithStores(Object.values(names) as string[], deps);
  return { db, key: await keyOf(db, names.keys, deps) };
};

const openWithStores = async (names: readonly string[], deps: OpenDatabaseDeps): Promise<IDBPDatabase> => {
  const db = await openVersion(names, version, deps).catch((error: unknown) => {
    // Already beyond our version: another workspace was here first, or stores were missing.
    if (nameOf(error) === 'VersionError') return openVersion(names, undefined, deps);
    throw error;
  });
  const found = names.filter((name) => db.objectStoreNames.contains(name)).length;
  if (found === names.length) return db;
  if (found > 0) deps.report('Object store(s) missing.');
  db.close();
  return openVersion(names, db.version + 1, deps);
};

const openVersion = (
  names: readonly string[],
  number: number | undefined,
  { onClose }: OpenDatabaseDeps,
): Promise<IDBPDatabase> =>
  openDB(databaseName, number, {
    upgrade: (db) => {
      for (const name of names) if (!db.objectStoreNames.contains(name)) db.createObjectStore(name);
    },
    // Another tab deletes the database when consent goes, or adds to it: let it. The next operation opens it again.
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      onClose();
    },
    terminated: onClose,
  });

/** Made once. What an earlier key has encrypted cannot be read when that is lost. */
const keyOf = async (db: IDBPDatabase, name: string, { stillWanted }: OpenDatabaseDeps): Promise<CryptoKey> => {
  const stored: unknown = await db.get(name, keyName);
  if (isKey(stored)) return stored;
  const made = await newKey();
  stillWanted();
  const { store, done } = db.transaction(name, 'readwrite');
  const other: unknown = await store.get(keyName);
  // Another tab was quicker.
  if (isKey(other)) return other;
  await Promise.all([store.put(made, keyName), done]);
  return made;
};
