import { Observable } from 'rxjs';

import { databases } from '../model/storageKeys';

/** Name of the database of the encrypted store. */
export const databaseName = databases.store;

/**
 * Deletes the database of the encrypted store. Completes when it is gone, or when this browser has none. A connection
 * that is open elsewhere holds up the deletion, perhaps for ever, so a database that has been `used` is emptied first.
 * Never errors.
 */
export const eraseDatabase = (window: { readonly indexedDB: IDBFactory }, used: boolean): Observable<never> =>
  new Observable((subscriber) => {
    const done = (): void => subscriber.complete();
    try {
      const { indexedDB } = window;
      // Both requests are made at once, so that whoever opens the database after this gets a new one.
      if (used) empty(indexedDB.open(databaseName));
      const request = indexedDB.deleteDatabase(databaseName);
      request.onsuccess = done;
      request.onerror = (event) => {
        event.preventDefault();
        done();
      };
    } catch {
      done();
    }
  });

/** Clears all object stores of the database, then closes it. */
const empty = (request: IDBOpenDBRequest): void => {
  request.onerror = (event) => event.preventDefault();
  request.onsuccess = () => {
    const db = request.result;
    const names = [...db.objectStoreNames];
    if (names.length > 0) {
      const transaction = db.transaction(names, 'readwrite');
      for (const name of names) transaction.objectStore(name).clear();
    }
    // Takes effect when the transaction is done. The deletion waits for it.
    db.close();
  };
};
