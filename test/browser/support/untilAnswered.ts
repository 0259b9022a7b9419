import type { Page } from 'playwright-core';

import { uploadedMark } from '../../../src/model/delivery';
import { until } from './until';

/**
 * Waits until the server has all events of the journal, where there is one: the page has heard all answers so far. What
 * it has not heard, the next page sends again. A journal that was slow once is left alone by its page and does not
 * change: then the wait ends after a while.
 */
export const untilAnswered = (page: Page): Promise<unknown> =>
  until(
    () =>
      page.evaluate(async (uploaded) => {
        try {
          if (!(await indexedDB.databases()).some(({ name }) => name === 'permutive-journal')) return true;
          const answer = <A>(request: IDBRequest<A>): Promise<A> =>
            new Promise((resolve, reject) => {
              request.onsuccess = () => resolve(request.result);
              request.onerror = () => reject(request.error!);
              setTimeout(() => reject(new Error('The database of this page does not answer')), 2000);
            });
          const database = await answer(indexedDB.open('permutive-journal'));
          const records = answer<unknown[]>(database.transaction('events').objectStore('events').getAll());
          database.close();
          // Of such an event, only an engine has still to count it.
          const isUploaded = ([, marks]: readonly [number, number]): boolean => (marks & uploaded) > 0;
          const left = (await records).map((text) => JSON.parse(String(text)) as { places?: [number, number][] });
          return left.every(({ places }) => places?.every(isUploaded)) || undefined;
        } catch {
          // This page has no storage that answers.
          return true;
        }
      }, uploadedMark),
    'the answers that the journal waits for',
    10_000,
  ).catch(() => undefined);
