import { defer, ignoreElements, map } from 'rxjs';

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
  /** Whether there was a write since the latest erasure. */
  let isWanted = false;
  const open = (): Promise<IDBDatabase> => {
    opened ??= openJournal(factory, () => (opened = undefined));
    return opened;
  };
  const transact = <A>(begin: (db: IDBDatabase) => IDBTransaction, act: Act<A>): Promise<A | undefined> =>
    open()
      .then(begin)
      .catch((error: unknown) => {
        // The connection was closed meanwhile, because another tab has asked for the database. The connection is opened
        // once more.
        if (nameOf(error) !== 'InvalidStateError') throw error;
        opened = undefined;
        return open().then(begin);
      })
      .then((transaction) => completed(transaction, act));
  return {
    keys: () =>
      defer(() => transact(reading, (store) => store.getAllKeys())).pipe(
        // Something else may have written to the database, under a number, a date or a list.
        map((keys = []) => keys.filter((key): key is string => typeof key === 'string')),
      ),
    read: (key) => defer(() => transact(reading, (store) => store.get(key) as IDBRequest<unknown>)),
    write: (changes) =>
      defer(() => {
        const isStrict = [...changes.values()].some((text) => text !== null);
        isWanted = true;
        return transact(
          // Strict: the write is done when it is on disk. A removal may be lost, because the server drops an event that
          // is sent twice.
          (db) => writing(db, isStrict ? 'strict' : 'relaxed'),
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
        const connection = opened;
        isWanted = false;
        if (connection === undefined) return deleteDatabase(factory, false);
        return (
          connection
            // A frozen tab holds up the deletion, and what was refused is gone all the same.
            .then((db) => completed(writing(db, 'strict'), (store) => store.clear()).then(() => db))
            .then(
              (db) => {
                // Consent was given again meanwhile.
                if (isWanted || opened !== connection) return undefined;
                // An open connection of this page would hold up the deletion.
                db.close();
                opened = undefined;
                return deleteDatabase(factory, true);
              },
              // The database could not be opened or emptied. Where a write has opened it meanwhile, it is a new one.
              () => (opened === undefined || opened === connection ? deleteDatabase(factory, false) : undefined),
            )
        );
      }).pipe(ignoreElements()),
  };
};

/** Requests of one transaction. */
type Act<A> = (store: IDBObjectStore) => IDBRequest<A> | undefined;

/** Makes the requests of a transaction, and waits until the transaction is complete. */
const completed = <A>(transaction: IDBTransaction, act: Act<A>): Promise<A | undefined> =>
  new Promise((resolve, reject) => {
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

const writing = (db: IDBDatabase, durability: IDBTransactionDurability): IDBTransaction =>
  db.transaction(storeName, 'readwrite', { durability });
const reading = (db: IDBDatabase): IDBTransaction => db.transaction(storeName, 'readonly');

/**
 * Opens the database at its present version, because another version of the SDK may have raised it. `onClose`: the
 * connection was closed by the browser, or for another tab that deletes the database; or the opening has failed.
 */
const openJournal = (factory: () => IDBFactory, onClose: () => void): Promise<IDBDatabase> =>
  new Promise<IDBDatabase>((resolve, reject) => {
    const request = factory().open(journalName);
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
  }).catch((error: unknown) => {
    // The next operation tries again.
    onClose();
    throw error;
  });

/**
 * Deletes the database. Resolves also where the deletion fails or there is no database, and for an empty database where
 * another tab holds the deletion up.
 */
const deleteDatabase = (factory: () => IDBFactory, isEmpty: boolean): Promise<void> =>
  new Promise<void>((resolve) => {
    const request = factory().deleteDatabase(journalName);
    request.onsuccess = () => resolve();
    if (isEmpty) request.onblocked = () => resolve();
    request.onerror = (event) => {
      event.preventDefault();
      resolve();
    };
  }).catch(() => undefined);
