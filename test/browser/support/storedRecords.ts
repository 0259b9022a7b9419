import type { Page } from 'playwright-core';

/** A record of the encrypted store, as a page of its origin finds it. */
export interface StoredRecord {
  readonly store: string;
  readonly key: string;
  readonly isBuffer: boolean;
  /** As it is stored; empty where the test does not ask for it. */
  readonly bytes: readonly number[];
  /** Deciphered with the stored key: iv, length, cipher text; null where that fails. */
  readonly text: string | null;
}

interface Change {
  /** Object stores whose names begin so. */
  readonly store: string;
  /** Only this record of them. */
  readonly index?: number;
  /** Flips a bit of this byte; without it, deletes. */
  readonly byte?: number;
}

/**
 * What is in the encrypted store; reads as the contract describes it, with none of the SDK's code. The bytes of a full
 * store are much to bring over: a test that waits goes without them.
 */
export const storedRecords = (
  page: Page,
  { withBytes = false }: { readonly withBytes?: boolean } = {},
): Promise<readonly StoredRecord[]> =>
  page.evaluate(async (wanted) => {
    const answer = <A>(request: IDBRequest<A>): Promise<A> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error!);
      });
    if (!(await indexedDB.databases()).some(({ name }) => name === 'permutive-store')) return [];
    const database = await answer(indexedDB.open('permutive-store'));
    const names = Array.from(database.objectStoreNames);
    if (names.length === 0) return [];
    const transaction = database.transaction(names);
    const all = await Promise.all(
      names.map(async (name) => {
        const store = transaction.objectStore(name);
        const [keys, values] = await Promise.all([
          answer(store.getAllKeys()),
          answer(store.getAll() as IDBRequest<unknown[]>),
        ]);
        return keys.map((key, i) => ({ store: name, key: key as string, value: values[i] }));
      }),
    );
    database.close();
    const records = all.flat();
    const key = records.find(({ store }) => store.startsWith('keys_'))?.value as CryptoKey;
    return Promise.all(
      records
        .filter(({ store }) => !store.startsWith('keys_'))
        .map(async ({ value, ...record }) => {
          const bytes = new Uint8Array(value as ArrayBuffer);
          const text = await crypto.subtle
            .decrypt({ name: 'AES-GCM', iv: bytes.slice(0, 12) }, key, bytes.slice(16))
            .then(
              (plain) => new TextDecoder().decode(plain),
              () => null,
            );
          return { ...record, isBuffer: value instanceof ArrayBuffer, bytes: wanted ? Array.from(bytes) : [], text };
        }),
    );
  }, withBytes);

/** The names of the events among these records. */
export const eventsIn = (records: readonly StoredRecord[]): readonly string[] =>
  records
    .filter(({ store }) => store.startsWith('events_'))
    .flatMap(({ text }) => (text === null ? [] : (JSON.parse(text) as { name: string }[]).map(({ name }) => name)));

/** The names of the events that are stored now. */
export const storedEvents = async (page: Page): Promise<readonly string[]> => eventsIn(await storedRecords(page));

/** Changes what is stored, behind the SDK's back. */
export const changeStored = (page: Page, change: Change): Promise<void> =>
  page.evaluate(
    ({ store: start, index, byte }) =>
      new Promise((resolve) => {
        const request = indexedDB.open('permutive-store');
        request.onsuccess = () => {
          const database = request.result;
          const transaction = database.transaction(Array.from(database.objectStoreNames), 'readwrite');
          for (const name of Array.from(database.objectStoreNames).filter((each) => each.startsWith(start))) {
            const store = transaction.objectStore(name);
            store.getAllKeys().onsuccess = (event) => {
              (event.target as IDBRequest<IDBValidKey[]>).result.forEach((key, i) => {
                if (index !== undefined && i !== index) return;
                if (byte === undefined) return void store.delete(key);
                store.get(key).onsuccess = (found) => {
                  const bytes = new Uint8Array((found.target as IDBRequest<ArrayBuffer>).result);
                  bytes[byte]! ^= 1;
                  store.put(bytes.buffer, key);
                };
              });
            };
          }
          transaction.oncomplete = () => {
            database.close();
            resolve();
          };
        };
      }),
    change,
  );
