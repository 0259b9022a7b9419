import type { Page } from 'playwright-core';

/** What an origin has in one place: records, and their bytes with two for each character. */
export interface StoredSize {
  readonly records: number;
  readonly bytes: number;
}

/** What the origin of a page stores, by place: `local storage`, and `{database}/{object store}`. */
export const storedSizes = (page: Page): Promise<Readonly<Record<string, StoredSize>>> =>
  page.evaluate(async () => {
    const answer = <A>(request: IDBRequest<A>): Promise<A> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error!);
      });
    const sizeOf = (entries: readonly (readonly [key: unknown, value: unknown])[]) => ({
      records: entries.length,
      bytes: entries
        .flat()
        .map((part) => (part instanceof ArrayBuffer ? part.byteLength : 2 * JSON.stringify(part).length))
        .reduce((sum, bytes) => sum + bytes, 0),
    });
    const sizes: Record<string, ReturnType<typeof sizeOf>> = { 'local storage': sizeOf(Object.entries(localStorage)) };
    for (const { name } of await indexedDB.databases()) {
      const database = await answer(indexedDB.open(name!));
      for (const store of Array.from(database.objectStoreNames)) {
        const objects = database.transaction(store).objectStore(store);
        const [keys, values] = await Promise.all([
          answer(objects.getAllKeys()),
          answer(objects.getAll() as IDBRequest<unknown[]>),
        ]);
        sizes[`${name}/${store}`] = sizeOf(keys.map((key, i) => [key, values[i]] as const));
      }
      database.close();
    }
    return sizes;
  });
