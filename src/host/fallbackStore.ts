import { catchError, defer, type Observable, throwError, timeout } from 'rxjs';
import { QuotaError } from '../model/quotaError';
import type { KeyValueStore } from '../platform/platform';

/** A browser that answers no sooner than this will not: some never do (a first open, a write after a back navigation). */
const storeTimeoutMs = 1500;

/** The first store until it fails or hangs, from then on the second. A full store is no failure: its error passes. */
export const fallbackStore = (preferred: KeyValueStore, second: KeyValueStore, onFallback: (cause: unknown) => void): KeyValueStore => {
  let failed = false;
  const attempt = <A>(operation: (store: KeyValueStore) => Observable<A>): Observable<A> =>
    defer(() => {
      if (failed) return operation(second);
      return operation(preferred).pipe(
        timeout({ first: storeTimeoutMs }),
        catchError((cause: unknown) => {
          if (cause instanceof QuotaError) return throwError(() => cause);
          if (!failed) onFallback(cause);
          failed = true;
          return operation(second);
        }),
      );
    });
  return { read: (key) => attempt((store) => store.read(key)), write: (key, text) => attempt((store) => store.write(key, text)) };
};
