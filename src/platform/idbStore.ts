import type { IDBPObjectStore } from 'idb';
import { Observable } from 'rxjs';

import { nameOf } from '../model/nameOf';
import { QuotaError } from '../model/quotaError';
import { seal, unseal } from './encryption';
import { openDatabase, type Opened } from './openDatabase';
import type { EventStore } from './platform';
import { isQuotaError } from './textStorage';

/** Safari slows down, and then fails, on a connection that has written much: it gets a new one after this many writes (spec C§9). */
const safariPuts = 30;

export interface IdbStoreDeps {
  readonly userAgent: string;
  readonly report: (message: string) => void;
}

/** The connection was closed under an operation: by another tab, or by the browser (spec C§8). */
class StoreClosingError extends Error {
  override readonly name = 'StoreClosingError';
}

/** Begins a transaction, or throws where the operation is no longer wanted. */
type Begin = (
  name: string,
  mode?: 'readwrite',
) => { readonly store: IDBPObjectStore<unknown, string[], string, 'readwrite'>; readonly done: Promise<void> };

/**
 * Events and state of a workspace in IndexedDB, encrypted. What has changed on the disk, or has lost its key, reads as an
 * empty text. Nothing is begun after unsubscription: no write lands behind an erasure.
 */
export const idbStore = (workspaceId: string, { userAgent, report }: IdbStoreDeps): EventStore => {
  const names = { events: `events_${workspaceId}`, data: `data_${workspaceId}`, keys: `keys_${workspaceId}` };
  const nameFor = (key: string): string => (key.startsWith('permutive-events') ? names.events : names.data);
  // Every browser of iOS is Safari inside.
  const maxPuts = /AppleWebKit(?!.*Chrome)/.test(userAgent) ? safariPuts : Infinity;
  // Opened at first use and kept: opening costs more than reading.
  let opening: Promise<Opened> | undefined;
  let puts = 0;
  let compacted = false;
  let lastId = 0;

  const close = (): void => {
    opening?.then(({ db }) => db.close(), ignore);
    opening = undefined;
    puts = 0;
  };

  /** Ids sort by age, also those of one moment. */
  const nextId = (): string => {
    lastId = Math.max(Date.now(), lastId + 1);
    return lastId.toString(36) + Math.random().toString(36).slice(1, 8);
  };

  const operation = <A>(what: string, action: (opened: Opened, begin: Begin) => Promise<A>): Observable<A> =>
    new Observable((subscriber) => {
      const closing = (): Error => new StoreClosingError(`Attempted ${what} when the current store is closing.`);
      const stillWanted = (): void => {
        if (subscriber.closed) throw closing();
      };
      const attempt = async (again: boolean): Promise<A> => {
        let open = false;
        try {
          opening ??= openDatabase(names, { stillWanted, onClose: () => (opening = undefined), report });
          const opened = await opening;
          open = true;
          return await action(opened, (name, mode) => {
            stillWanted();
            const transaction = opened.db.transaction([name], mode as 'readwrite');
            // Whoever reads only does not wait for it.
            transaction.done.catch(ignore);
            return { store: transaction.objectStore(name), done: transaction.done };
          });
        } catch (error) {
          const full = isQuotaError(error);
          // A new connection is the remedy for one that was closed, and has the browser compact what was deleted: once.
          if (!subscriber.closed && !(full ? compacted : again)) {
            compacted ||= full;
            close();
            return attempt(true);
          }
          // Without room for even a key the store is of no use.
          if (full && open) throw new QuotaError();
          throw ['NotFoundError', 'InvalidStateError'].includes(nameOf(error)) ? closing() : error;
        }
      };
      attempt(false).then(
        (value) => {
          subscriber.next(value);
          subscriber.complete();
        },
        (error: unknown) => subscriber.error(error),
      );
    });

  const written = async (work: readonly Promise<unknown>[]): Promise<void> => {
    await Promise.all(work);
    if ((puts += 1) >= maxPuts) close();
  };

  return {
    read: (key) =>
      operation('get', async (opened, begin) => {
        const blob: unknown = await begin(nameFor(key)).store.get(key);
        return blob === undefined ? null : unseal(opened.key, blob);
      }),
    write: (key, text) =>
      operation('put', async (opened, begin) => {
        const blob = await seal(opened.key, text);
        const { store, done } = begin(nameFor(key), 'readwrite');
        return written([store.put(blob, key), done]);
      }),
    records: () =>
      operation('getAll', async (opened, begin) => {
        const { store } = begin(names.events);
        const [keys, blobs] = await Promise.all([store.getAllKeys(), store.getAll()]);
        return Promise.all(
          keys.map(async (key, i) => ({ key: key as string, text: await unseal(opened.key, blobs[i]) })),
        );
      }),
    replace: (stale, fresh) =>
      operation('put', async (opened, begin) => {
        const sealed = await Promise.all(
          fresh.map(async ([list, text]) => [`${list}/${nextId()}`, await seal(opened.key, text)] as const),
        );
        const { store, done } = begin(names.events, 'readwrite');
        const found = await Promise.all(stale.map((key) => store.getKey(key)));
        // Another tab has replaced them already.
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

const ignore = (): void => undefined;
