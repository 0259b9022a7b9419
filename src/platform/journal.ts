import { defer, from, ignoreElements } from 'rxjs';

import { databases } from '../model/storageKeys';
import type { Journal } from './platform';

// Apart from the encrypted store, whose database is made anew now and then.
export const journalName = databases.journal;
const storeName = 'events';

/** The journal in a database of its own. Opened at first use; `factory` may throw. */
export const idbJournal = (factory: () => IDBFactory): Journal => {
  let opened: Promise<IDBDatabase> | undefined;
  const open = (): Promise<IDBDatabase> => {
    opened ??= openDatabase(factory, () => (opened = undefined));
    return opened;
  };
  const transact = async <A>(
    begin: (db: IDBDatabase) => IDBTransaction,
    act: (store: IDBObjectStore) => IDBRequest<A> | undefined,
  ): Promise<A | undefined> => {
    const transaction = await open()
      .then(begin)
      .catch((error: unknown) => {
        // Another tab has asked for the database meanwhile, so the connection was closed: open it once more.
        if (!(error instanceof Error) || error.name !== 'InvalidStateError') throw error;
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
      // The page may be going away, so the browser is not to wait for further requests.
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
          // Local storage, and other databases, reach the disk seconds later; a removal may.
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
        return from(Promise.resolve(closed).then(() => deleteDatabase(factory)));
      }).pipe(ignoreElements()),
  };
};

const reading = (db: IDBDatabase): IDBTransaction => db.transaction(storeName, 'readonly');

const openDatabase = (factory: () => IDBFactory, onClose: () => void): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = factory().open(journalName, 1);
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
      onClose();
      reject(request.error ?? new Error('No database'));
    };
  });

/** Resolves also where there is none to delete. */
const deleteDatabase = (factory: () => IDBFactory): Promise<void> =>
  new Promise<void>((resolve) => {
    const request = factory().deleteDatabase(journalName);
    request.onsuccess = () => resolve();
    request.onerror = (event) => {
      event.preventDefault();
      resolve();
    };
  }).catch(() => undefined);
