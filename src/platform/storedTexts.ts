import { catchError, EMPTY, forkJoin, map, type Observable, take, timeout } from 'rxjs';

import { storeKeys } from '../model/storageKeys';
import { idbStore, type IdbStoreDeps } from './idbStore';

/** A store that does not answer is left out of a log. */
const textsTimeoutMs = 1500;

/**
 * What the encrypted store of a workspace holds for the engine: texts of state and records of events by key. Cold;
 * emits once, or completes without a value where the store cannot be read.
 */
export const storedTexts = (workspaceId: string, deps: IdbStoreDeps): Observable<Readonly<Record<string, string>>> => {
  const store = idbStore(workspaceId, deps);
  return forkJoin([store.read(storeKeys.queries), store.read(storeKeys.models), store.records()]).pipe(
    map(([queries, models, records]) => ({
      ...(queries !== null && { [storeKeys.queries]: queries }),
      ...(models !== null && { [storeKeys.models]: models }),
      ...Object.fromEntries(records.map(({ key, text }) => [key, text])),
    })),
    take(1),
    timeout(textsTimeoutMs),
    catchError(() => EMPTY),
  );
};
