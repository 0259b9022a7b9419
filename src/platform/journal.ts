import { defer, from, ignoreElements } from 'rxjs';

import { nameOf } from '../model/errors';
import { databases } from '../model/storageKeys';
import type { Journal } from './platform';

// Name of the journal's database. The journal is apart from the encrypted store, whose database is made anew now and
// then.
export const journalName = databases.journal;
const storeName = 'events';

/**
 * The journal in a database of its own, opened at first use. `factory` may throw, where the browser has no IndexedDB;
 * the operation then errors.
 */
export const idbJournal = (factory: () => IDBFactory): Journal => {
  let opened: Promise<IDBDatabase> | undefined;
  const open = (): Promise<IDBDatabase> => {
    opened ??= openJournal(factory, () => (opened = undefined));
    return opened;
  };
  /** Runs one request, or some, in a transaction of their own, and waits until the transaction is complete. */
  const transact = async <A>(
    begin: (db: IDBDatabase) => IDBTransaction,
    act: (store: IDBObjectStore) => IDBRequest<A> | undefined,
  ): Promise<A | undefined> => {
    const transaction = await open()
      .then(begin)
      .catch((error: unknown) => {
        // The connection was closed meanwhile, because another tab has asked for the database. The connection is opened
        // once more.
        if (nameOf(error) !== 'InvalidStateError') throw error;
        opened = undefined;
        return open().then(begin);
      });
    return new Promise((resolve, reject) => {
      const request = act(transaction.objectStore(storeName));
      const fail = (event: globalThis.Event): void => {
        // Without this, some browsers tell the error to the page's onerror.
        event.preventDefault();
        reject(transaction.error ?? request?.error ?? new Error('Transaction failed'));
      };
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onerror = fail;
      transaction.onabort = fail;
      // Without this, the browser waits for further requests, and the page may be going away.
      transaction.commit();
    });
  };
  return {
    keys: () => defer(() => transact(reading, (store) => store.getAllKeys()) as Promise<string[]>),
    read: (key) => defer(() => transact(reading, (store) => store.get(key) as IDBRequest<unknown>)),
    write: (changes) =>
      defer(() => {
        const isStrict = [...changes.values()].some((text) => text !== null);
        return transact(
          // Strict: the write is done when it is on disk. A removal may be lost, because the server drops an event that
          // is sent twice.
          (db) => db.transaction(storeName, 'readwrite', { durability: isStrict ? 'strict' : 'relaxed' }),
          (store) => {
            for (const [key, text] of changes)
              if (text === null) store.delete(key);
              else store.put(text, key);
            return undefined;
          },
        );
      }),
    erase: () =>
      defer(() => {
        const closed = opened?.then(
          (db) => db.close(),
          () => undefined,
        );
        opened = undefined;
        // An open connection of this page would hold up the deletion.
        return from(Promise.resolve(closed).then(() => deleteDatabase(factory)));
      }).pipe(ignoreElements()),
  };
};

const reading = (db: IDBDatabase): IDBTransaction => db.transaction(storeName, 'readonly');

/**
 * Opens the database, at its present version where that is a later one: another version of the SDK may have raised it.
 * `onClose`: the connection was closed by the browser, or for another tab that deletes
 * the database; or the opening has failed.
 */
const openJournal = (factory: () => IDBFactory, onClose: () => void): Promise<IDBDatabase> =>
  openAtVersion(factory, 1, onClose)
    .catch((error: unknown) => {
      if (nameOf(error) === 'VersionError') return openAtVersion(factory, undefined, onClose);
      throw error;
    })
    .catch((error: unknown) => {
      // The next operation tries again.
      onClose();
      throw error;
    });

const openAtVersion = (
  factory: () => IDBFactory,
  version: number | undefined,
  onClose: () => void,
): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = factory().open(journalName, version);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => {
      const db = request.result;
      db.onclose = onClose;
      db.onversionchange = () => {
        db.close();
        onClose();
      };
      resolve(db);
    };
    request.onerror = (event) => {
      event.preventDefault();
      reject(request.error ?? new Error('No database'));
    };
  });

/** Deletes the database. Resolves also where the deletion fails or there is no database. */
const deleteDatabase = (factory: () => IDBFactory): Promise<void> =>
  new Promise<void>((resolve) => {
    const request = factory().deleteDatabase(journalName);
    request.onsuccess = () => resolve();
    request.onerror = (event) => {
      event.preventDefault();
      resolve();
    };
  }).catch(() => undefined);
