import { catchError, concat, defer, EMPTY, type Observable } from 'rxjs';

import { nameOf } from '../model/errors';
import { firstWithin } from '../operators/firstWithin';
import type { EventStore } from '../platform/platform';

/**
 * Time that an operation gets for its first answer. Some browsers never answer: at a first open, or at a write after a
 * back navigation.
 */
const storeTimeoutMs = 1500;

/**
 * Uses `preferred` until an operation of it fails or hangs, and `second` from then on. The failed operation is repeated
 * in `second`, and `onFallback` hears the cause once. A lack of room is no failure: its `QuotaError` passes to the
 * caller.
 *
 * `takeOver$` runs before the first operation, no longer than the timeout. The errors of `takeOver$` are dropped,
 * because a store that is broken fails the operation after it too.
 */
export const fallbackStore = (
  preferred: EventStore,
  second: EventStore,
  onFallback: (cause: unknown) => void,
  takeOver$: Observable<never> = EMPTY,
): EventStore => {
  let failed = false;
  let before$ = takeOver$;
  const attempt = <A>(operation: (store: EventStore) => Observable<A>): Observable<A> =>
    defer(() => {
      if (failed) return operation(second);
      const first$ = before$;
      // Cleared before it runs, so that operations that begin meanwhile do not start it again.
      before$ = EMPTY;
      const work$ = answerInTime(operation(preferred)).pipe(
        catchError((cause: unknown) => {
          if (nameOf(cause) === 'QuotaError') throw cause as Error;
          // Several operations may be under way when the store fails; the first one reports.
          if (!failed) onFallback(cause);
          failed = true;
          return operation(second);
        }),
      );
      return concat(answerInTime(first$).pipe(catchError(() => EMPTY)), work$);
    });
  return {
    read: (key) => attempt((store) => store.read(key)),
    readVersion: (key) => attempt((store) => store.readVersion(key)),
    swap: (key, version, text) => attempt((store) => store.swap(key, version, text)),
    write: (key, text) => attempt((store) => store.write(key, text)),
    records: () => attempt((store) => store.records()),
    replace: (stale, fresh) => attempt((store) => store.replace(stale, fresh)),
    clear: (except) => attempt((store) => store.clear(except)),
  };
};

/** Errors where the first answer of an operation does not come in time. */
const answerInTime = <A>(operation$: Observable<A>): Observable<A> =>
  operation$.pipe(firstWithin(storeTimeoutMs, () => new Error('No answer in time')));
