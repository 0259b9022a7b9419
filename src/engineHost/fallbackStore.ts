import { catchError, concat, defer, EMPTY, mergeMap, type Observable, of, retry, tap, timer } from 'rxjs';

import { nameOf } from '../model/errors';
import { firstWithin } from '../operators/firstWithin';
import type { EventStore } from '../platform/platform';

/**
 * Time that an operation gets for its first answer. Some browsers never answer: at a first open, or at a write after a
 * back navigation.
 */
export const storeTimeoutMs = 1500;

/** A store that has failed, and in whose place no other may stand, is asked again after so long. */
const retryMs = 5000;

/** What becomes of a store that fails. */
export interface Fallback {
  /** Hears the cause once, when the second store is used. */
  readonly onFallback: (cause: unknown) => void;
  /**
   * Emits whether the second store may stand for the preferred one, of which nothing could be read: whether it has all
   * that the preferred one could have. Asked until the visitor's history has been read.
   */
  readonly mayStandIn: (cause: unknown) => Observable<boolean>;
  /** Moves what the second store holds into the preferred one. */
  readonly takeOver$: Observable<never>;
  /** The second store holds something, so that `takeOver$` runs before the first operation. */
  readonly leftBehind: boolean;
}

/**
 * Uses `preferred` until an operation of it fails or hangs, and `second` from then on. The failed operation is repeated
 * in `second`. A lack of room is no failure: its `QuotaError` passes to the caller.
 *
 * Until the records of events have been read, with which the visitor's history is known, a failure does not mean that
 * there is no history. Then `second` is used only where it may stand in. Otherwise the operation waits for `preferred`,
 * however long that takes.
 *
 * `takeOver$` runs before the first operation, no longer than the timeout, and before the answer to an operation that
 * has waited. The errors of `takeOver$` are dropped, because a store that is broken fails the operation after it too.
 */
export const fallbackStore = (
  preferred: EventStore,
  second: EventStore,
  { onFallback, mayStandIn, takeOver$, leftBehind }: Fallback,
): EventStore => {
  let failed = false;
  let isRead = false;
  let before$ = leftBehind ? takeOver$ : EMPTY;
  const attempt = <A>(operation: (store: EventStore) => Observable<A>): Observable<A> =>
    defer(() => {
      if (failed) return operation(second);
      const first$ = before$;
      // Cleared before it runs, so that operations that begin meanwhile do not start it again.
      before$ = EMPTY;
      const work$ = answerInTime(operation(preferred)).pipe(
        catchError((cause: unknown) => {
          if (nameOf(cause) === 'QuotaError') throw cause as Error;
          return (isRead ? of(true) : mayStandIn(cause)).pipe(
            mergeMap((isEnough) => {
              if (!isEnough)
                return defer(() => concat(orNothing(takeOver$), operation(preferred))).pipe(
                  retry({ delay: () => timer(retryMs) }),
                );
              // Several operations may be under way when the store fails; the first one reports.
              if (!failed) onFallback(cause);
              failed = true;
              return operation(second);
            }),
          );
        }),
      );
      return concat(orNothing(answerInTime(first$)), work$);
    });
  return {
    read: (key) => attempt((store) => store.read(key)),
    readVersion: (key) => attempt((store) => store.readVersion(key)),
    swap: (key, version, text) => attempt((store) => store.swap(key, version, text)),
    write: (key, text) => attempt((store) => store.write(key, text)),
    records: () => attempt((store) => store.records()).pipe(tap(() => (isRead = true))),
    replace: (stale, fresh) => attempt((store) => store.replace(stale, fresh)),
    clear: () => attempt((store) => store.clear()),
  };
};

/** Errors where the first answer of an operation does not come in time. */
const answerInTime = <A>(operation$: Observable<A>): Observable<A> =>
  operation$.pipe(firstWithin(storeTimeoutMs, () => new Error('No answer in time')));

const orNothing = (takeOver$: Observable<never>): Observable<never> => takeOver$.pipe(catchError(() => EMPTY));
