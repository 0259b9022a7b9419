import { Observable } from 'rxjs';

import { databases } from '../model/storageKeys';

export const databaseName = databases.store;

/**
 * Completes when the database is gone, or when this browser has none to delete. Where something else holds it open,
 * that may be never: so a database that has been `used` is emptied first.
 */
export const eraseDatabase = (window: { readonly indexedDB: IDBFactory }, used: boolean): Observable<never> =>
  new Observable((subscriber) => {
    const done = (): void => subscriber.complete();
    try {
      const { indexedDB } = window;
      // Both asked for at once: whoever opens after this finds a new database.
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

const empty = (request: IDBOpenDBRequest): void => {
  request.onerror = (event) => event.preventDefault();
  request.onsuccess = () => {
    const db = request.result;
    const names = [...db.objectStoreNames];
    if (names.length > 0) {
      const transaction = db.transaction(names, 'readwrite');
      for (const name of names) transaction.objectStore(name).clear();
    }
    // Once that is done; and the deletion waits for it.
    db.close();
  };
};
