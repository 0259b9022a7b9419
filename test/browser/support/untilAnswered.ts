import type { Page } from 'playwright-core';

import { until } from './until';

/**
 * Waits until the journal is empty, where there is one: the page has heard all answers so far. What it has not heard,
 * the next page sends again. A journal that was slow once is left alone by its page and does not get empty: then the
 * wait ends after a while.
 */
export const untilAnswered = (page: Page): Promise<unknown> =>
  until(
    () =>
      page.evaluate(async () => {
        try {
          if (!(await indexedDB.databases()).some(({ name }) => name === 'permutive-journal')) return true;
          const answer = <A>(request: IDBRequest<A>): Promise<A> =>
            new Promise((resolve, reject) => {
              request.onsuccess = () => resolve(request.result);
              request.onerror = () => reject(request.error!);
            });
          const database = await answer(indexedDB.open('permutive-journal'));
          const left = answer(database.transaction('events').objectStore('events').count());
          database.close();
          return (await left) === 0 ? true : undefined;
        } catch {
          // This page has no storage.
          return true;
        }
      }),
    'an empty journal',
    10_000,
  ).catch(() => undefined);
