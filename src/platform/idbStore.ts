import { storeKeys } from '../model/storageKeys';
import { seal, unseal } from './encryption';
import type { EventStore } from './platform';
import { storeConnection, type StoreConnectionDeps } from './storeConnection';

/**
 * The encrypted store: events and state of a workspace in IndexedDB. A blob that has changed on disk, or whose key is
 * lost, reads as an empty text. No operation begins after unsubscription, so that no write follows an erasure.
 */
export const idbStore = (workspaceId: string, deps: StoreConnectionDeps): EventStore => {
  const names = { events: `events_${workspaceId}`, data: `data_${workspaceId}`, keys: `keys_${workspaceId}` };
  const { previousPages, thisPage } = storeKeys;
  // The key of a record of events begins with the name of its list.
  const isEvents = (key: string): boolean => key.startsWith(previousPages) || key.startsWith(thisPage);
  const storeOf = (key: string): string => (isEvents(key) ? names.events : names.data);
  const { operation, written } = storeConnection(names, deps);
  const nextId = recordIds();

  return {
    read: (key) =>
      operation('get', async ({ key: cryptoKey }, begin) => {
        const blob: unknown = await begin(storeOf(key)).store.get(key);
        return blob === undefined ? null : unseal(cryptoKey, blob);
      }),
    write: (key, text) =>
      operation('put', async ({ key: cryptoKey }, begin) => {
        // Encrypted before the transaction begins, which would end while nothing is asked of it.
        const blob = await seal(cryptoKey, text);
        const { store, done } = begin(storeOf(key), 'readwrite');
        return written([store.put(blob, key), done]);
      }),
    records: () =>
      operation('getAll', async ({ key: cryptoKey }, begin) => {
        const { store } = begin(names.events);
        const [keys, blobs] = await Promise.all([store.getAllKeys(), store.getAll()]);
        return Promise.all(
          keys.map(async (key, i) => ({ key: key as string, text: await unseal(cryptoKey, blobs[i]) })),
        );
      }),
    replace: (stale, fresh) =>
      operation('put', async ({ key: cryptoKey }, begin) => {
        const sealed = await Promise.all(
          fresh.map(async ([list, text]) => [`${list}/${nextId()}`, await seal(cryptoKey, text)] as const),
        );
        const { store, done } = begin(names.events, 'readwrite');
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
    clear: (except) =>
      operation('delete', async (_, begin) => {
        const { store, done } = begin(names.events, 'readwrite');
        const keys = await store.getAllKeys();
        return written([...keys.filter((key) => !except.has(key as string)).map((key) => store.delete(key)), done]);
      }),
  };
};

/** Makes ids that sort by age, also those of one moment. The random part keeps the ids of two tabs apart. */
const recordIds = (): (() => string) => {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + 1);
    return last.toString(36) + Math.random().toString(36).slice(1, 8);
  };
};
