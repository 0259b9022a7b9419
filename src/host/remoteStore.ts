import { catchError, map, throwError } from 'rxjs';
import { QuotaError } from '../model/quotaError';
import type { KeyValueStore } from '../platform/platform';
import { type Ask, AskError } from './ask';

/** A store kept by the page: local storage, which a worker does not have. */
export const remoteStore = (ask: Ask): KeyValueStore => ({
  read: (key) => ask('read', { key }).pipe(map((text) => (typeof text === 'string' ? text : null))),
  write: (key, text) =>
    ask('write', { key, text }).pipe(
      map(() => undefined),
      catchError((error: unknown) => throwError(() => (error instanceof AskError && error.name === 'QuotaError' ? new QuotaError() : (error as Error)))),
    ),
});
