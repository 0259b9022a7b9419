import { map, type Observable } from 'rxjs';

import { storeKeys } from '../model/storageKeys';
import { ivOf, seal, unseal } from './encryption';
import type { EventStore } from './platform';
import { type StoreConnection, storeConnection, type StoreConnectionDeps } from './storeConnection';

export interface IdbStoreDeps extends StoreConnectionDeps {
  /** Whose records of events are read and written; everybody's where it is absent. */
  readonly userId?: string;
}

/**
 * The encrypted store: events and state of a workspace in IndexedDB. A record of events has the id of its user in its
 * key: a page that has not heard of a change of user must not give its events to the new one. A record of another user
 * reads as an empty list, which the events cache removes. A blob that has changed on disk, or whose key is
 * lost, reads as an empty text. No operation begins after unsubscription, so that no write follows an erasure.
 */
export const idbStore = (workspaceId: string, deps: IdbStoreDeps): EventStore => {
  const names = { events: `events_${workspaceId}`, data: `data_${workspaceId}`, keys: `keys_${workspaceId}` };
  const { previousPages, thisPage } = storeKeys;
  // The key of a record of events begins with the name of its list.
  const isEvents = (key: string): boolean => key.startsWith(previousPages) || key.startsWith(thisPage);
  const group = deps.userId === undefined ? '' : `/${deps.userId}`;
  // A key of an older version names no user.
  const isOthers = (key: string): boolean => isEvents(key) && key.split('/').length > 2 && !key.endsWith(group);
  const storeOf = (key: string): string => (isEvents(key) ? names.events : names.data);
  const { operation, written } = storeConnection(names, deps);
  const readVersion: EventStore['readVersion'] = (key) =>
    operation('get', async ({ key: cryptoKey }, begin) => {
      const blob: unknown = await begin(storeOf(key)).store.get(key);
      const text = blob === undefined ? null : isOthers(key) ? noEvents : await unseal(cryptoKey, blob);
      return { text, version: ivOf(blob) };
    });
  /** Writes a text where the stored blob may be replaced, and emits whether it might. */
  const put = (key: string, text: string, mayReplace: (stored: unknown) => boolean): Observable<boolean> =>
    operation('put', async ({ key: cryptoKey }, begin) => {
      // Encrypted before the transaction begins, which would end while nothing is asked of it.
      const blob = await seal(cryptoKey, text);
      const { store, done } = begin(storeOf(key), 'readwrite');
      const isWritten = mayReplace(await store.get(key));
      if (isWritten) await written([store.put(blob, key), done]);
      return isWritten;
    });

  return {
    read: (key) => readVersion(key).pipe(map(({ text }) => text)),
    readVersion,
    write: (key, text) => put(key, text, () => true).pipe(map(() => undefined)),
    swap: (key, version, text) => put(key, text, (stored) => ivOf(stored) === version),
    ...recordStore(names.events, group, isOthers, { operation, written }),
  };
};

/** The part of the store that holds records of events. */
const recordStore = (
  events: string,
  group: string,
  isOthers: (key: string) => boolean,
  { operation, written }: StoreConnection,
): Pick<EventStore, 'records' | 'replace' | 'clear'> => {
  const nextId = recordIds();
  return {
    records: () =>
      operation('getAll', async ({ key: cryptoKey }, begin) => {
        const { store } = begin(events);
        const [keys, blobs] = await Promise.all([store.getAllKeys(), store.getAll()]);
        const records = (keys as unknown[]).map((key, i) => [key, blobs[i]] as const);
        return Promise.all(
          records
            // Something else may have written to the database, under a number, a date or a list.
            .filter((record): record is readonly [string, unknown] => typeof record[0] === 'string')
            .map(async ([key, blob]) => ({ key, text: isOthers(key) ? noEvents : await unseal(cryptoKey, blob) })),
        );
      }),
    replace: (stale, fresh) =>
      operation('put', async ({ key: cryptoKey }, begin) => {
        const sealed = await Promise.all(
          fresh.map(async ([list, text]) => [`${list}/${nextId()}${group}`, await seal(cryptoKey, text)] as const),
        );
        const { store, done } = begin(events, 'readwrite');
        const found = await Promise.all(stale.map((key) => store.getKey(key)));
        // Another tab has replaced these records already. Adding them again would double their events.
        if (found.includes(undefined)) return [];
        await written([
          ...stale.map((key) => store.delete(key)),
          ...sealed.map(([key, blob]) => store.add(blob, key)),
          done,
        ]);
        return sealed.map(([key]) => key);
      }),
    clear: () =>
      operation('delete', async (_, begin) => {
        const { store, done } = begin(events, 'readwrite');
        return written([store.clear(), done]);
      }),
  };
};

const noEvents = '[]';

/** Makes ids that sort by age, also those of one moment. The random part keeps the ids of two tabs apart. */
const recordIds = (): (() => string) => {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + 1);
    return last.toString(36) + Math.random().toString(36).slice(1, 8);
  };
};
