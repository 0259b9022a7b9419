import { catchError, map, type Observable, throwError } from 'rxjs';

import { QuotaError } from '../model/errors';
import { type Ask, failureOf } from './ask';
import type { TextStore } from './listStore';

/**
 * Local storage for the engine, which may run in a worker: each operation is a question to the page. Errors:
 * `QuotaError` where there is no room, else `AskError`.
 */
export const remoteStore = (ask: Ask): TextStore => {
  const write = (key: string, text: string | null): Observable<void> =>
    ask('write', { key, text }).pipe(
      map(() => undefined),
      catchError((error: unknown) =>
        throwError(() => (failureOf(error)?.kind === 'quota' ? new QuotaError() : (error as Error))),
      ),
    );
  return {
    read: (key) => ask('read', { key }).pipe(map((text) => (typeof text === 'string' ? text : null))),
    write,
    remove: (key) => write(key, null),
  };
};
