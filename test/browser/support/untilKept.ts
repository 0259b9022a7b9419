import type { Page } from 'playwright-core';

import { until } from './until';

/** The ids of the events of that name that a page's origin keeps until they are answered, on disk or beside it. */
const keptIds = (page: Page, name: string): Promise<readonly string[]> =>
  page.evaluate(async (wanted) => {
    const answer = <A>(request: IDBRequest<A>): Promise<A> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error!);
      });
    const onDisk = async (): Promise<readonly unknown[]> => {
      if (!(await indexedDB.databases()).some((each) => each.name === 'permutive-journal')) return [];
      // An opening waits behind a deletion that another tab holds up. The records are beside the disk then.
      const opening = answer(indexedDB.open('permutive-journal'));
      const database = await Promise.race([opening, new Promise<void>((resolve) => setTimeout(() => resolve(), 500))]);
      if (database === undefined) {
        void opening.then((late) => late.close());
        return [];
      }
      const records = answer<unknown[]>(database.transaction('events').objectStore('events').getAll());
      database.close();
      return records;
    };
    const texts = [...(await onDisk()), ...Object.values<unknown>(localStorage)].map(String);
    const events = new RegExp(`"id":"([^"]+)","user_id":"[^"]+","name":"${wanted}"`, 'g');
    return [...new Set(texts.flatMap((text) => [...text.matchAll(events)].map(([, id = '']) => id)))];
  }, name);

/** Waits until the page's origin keeps so many events of that name, which the server has not answered. */
export const untilKept = (page: Page, name: string, count: number): Promise<true> =>
  until(
    async () => (await keptIds(page, name)).length >= count || undefined,
    `${count} ${name} to be kept for the next page`,
  );
