import { catchError, concat, defer, EMPTY, mergeMap, type Observable, of, retry, tap, throwError, timer } from 'rxjs';

import { messageOf, nameOf } from '../model/errors';
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
  /** Notes that a history begins in the preferred store. Emits false where one may have begun in the second before. */
  readonly begins$: Observable<boolean>;
  /** The second store holds something, so that `takeOver$` runs before the first operation. */
  readonly leftBehind: boolean;
}

/**
 * Uses `preferred`. Where its first operations fail or hang, `second` is used in its place, if that may stand in.
 * Otherwise they wait for `preferred`, however long that takes. The failed operation is repeated in `second`. A lack of
 * room is no failure: its `QuotaError` passes to the caller.
 *
 * The state is in one of the stores at a time, because the pages of a browser write it together:
 *
 * - Once the visitor's history was read from `preferred`, other pages may write there. So a failure passes to the
 *   caller, who tries again, and `second` is not used.
 * - A page for which `preferred` works moves what `second` holds. Whose state was moved goes on in `preferred`.
 * - Who writes the first state into `preferred` moves what another page has begun in `second` meanwhile.
 */
export const fallbackStore = (preferred: EventStore, second: EventStore, fallback: Fallback): EventStore => {
  const { begins$, takeOver$ } = fallback;
  const use: StoreUse = { standsIn: false, isRead: false, isHome: false, isAway: false };
  const attempt = attempting(preferred, second, use, fallback);
  /** Writes the first state into `preferred`. */
  const begin = (key: string, text: string): Observable<boolean> =>
    begins$.pipe(
      catchError(() => of(true)),
      mergeMap((isFirst) => concat(isFirst ? EMPTY : orNothing(takeOver$), preferred.swap(key, null, text))),
    );
  const readVersion: EventStore['readVersion'] = (key) =>
    attempt((store) => store.readVersion(key)).pipe(
      mergeMap((found) => {
        const wasMoved = use.standsIn && use.isAway && found.text === null;
        use.isAway = use.standsIn && found.text !== null;
        use.isHome ||= wasMoved || (!use.standsIn && found.version !== null);
        use.standsIn &&= !wasMoved;
        return wasMoved ? readVersion(key) : of(found);
      }),
    );
  return {
    read: (key) => attempt((store) => store.read(key)),
    readVersion,
    swap: (key, version, text) =>
      attempt((store) =>
        store === preferred && version === null ? begin(key, text) : store.swap(key, version, text),
      ).pipe(
        tap((isWritten) => {
          use.isAway ||= isWritten && use.standsIn;
          use.isHome ||= isWritten && !use.standsIn;
        }),
      ),
    write: (key, text) => attempt((store) => store.write(key, text)),
    records: () => attempt((store) => store.records()).pipe(tap(() => (use.isRead = true))),
    replace: (stale, fresh) => attempt((store) => store.replace(stale, fresh)),
    clear: () => attempt((store) => store.clear()),
  };
};

/** How a page uses the two stores. */
interface StoreUse {
  /** `second` is used in the place of `preferred`. */
  standsIn: boolean;
  /** The records of events have been read. */
  isRead: boolean;
  /** The page knows of a state in `preferred`. */
  isHome: boolean;
  /** The page has found or written a state in `second`. */
  isAway: boolean;
}

/**
 * Makes the function that runs an operation in one of the stores.
 *
 * `takeOver$` runs before the first operation, no longer than the timeout. Where it fails, so has `preferred`. The move
 * runs again before the answer to an operation that has waited. There its errors are dropped, because `second` had
 * nothing that could stand in, and a store that is broken fails the operation too.
 */
const attempting = (
  preferred: EventStore,
  second: EventStore,
  use: StoreUse,
  { onFallback, mayStandIn, takeOver$, leftBehind }: Fallback,
): (<A>(operation: (store: EventStore) => Observable<A>) => Observable<A>) => {
  let before$ = leftBehind ? takeOver$ : EMPTY;
  return (operation) =>
    defer(() => {
      if (use.standsIn) return operation(second);
      const first$ = before$;
      // Cleared before it runs, so that operations that begin meanwhile do not start it again.
      before$ = EMPTY;
      // What `second` holds is the visitor's as long as it could not be moved.
      const moved$ = answerInTime(first$).pipe(
        catchError((cause: unknown) => throwError(() => new Error(messageOf(cause), { cause }))),
      );
      return concat(moved$, answerInTime(operation(preferred))).pipe(
        catchError((cause: unknown) => {
          if ((use.isRead && use.isHome) || nameOf(cause) === 'QuotaError') throw cause as Error;
          return mayStandIn(cause).pipe(
            mergeMap((isEnough) => {
              if (!isEnough)
                return defer(() => concat(orNothing(takeOver$), operation(preferred))).pipe(
                  retry({ delay: () => timer(retryMs) }),
                );
              // Several operations may be under way when the store fails; the first one reports.
              if (!use.standsIn) onFallback(cause);
              use.standsIn = true;
              return operation(second);
            }),
          );
        }),
      );
    });
};

/** Errors where the first answer of an operation does not come in time. */
const answerInTime = <A>(operation$: Observable<A>): Observable<A> =>
  operation$.pipe(firstWithin(storeTimeoutMs, () => new Error('No answer in time')));

const orNothing = (takeOver$: Observable<never>): Observable<never> => takeOver$.pipe(catchError(() => EMPTY));
