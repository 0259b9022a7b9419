import { catchError, concat, defer, EMPTY, type Observable, timeout } from 'rxjs';

import { nameOf } from '../model/errors';
import type { EventStore } from '../platform/platform';

/**
 * A browser that answers no sooner than this will not: some never do (a first open, a write after a back navigation).
 */
const storeTimeoutMs = 1500;

/**
 * The first store until it fails or hangs, from then on the second. A full store is no failure: its error passes.
 * `takeOver$` comes before the first operation; where it fails, that will tell.
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
      before$ = EMPTY;
      const work$ = operation(preferred).pipe(
        timeout({ first: storeTimeoutMs }),
        catchError((cause: unknown) => {
          if (nameOf(cause) === 'QuotaError') throw cause as Error;
          if (!failed) onFallback(cause);
          failed = true;
          return operation(second);
        }),
      );
      return concat(
        first$.pipe(
          timeout({ first: storeTimeoutMs }),
          catchError(() => EMPTY),
        ),
        work$,
      );
    });
  return {
    read: (key) => attempt((store) => store.read(key)),
    write: (key, text) => attempt((store) => store.write(key, text)),
    records: () => attempt((store) => store.records()),
    replace: (stale, fresh) => attempt((store) => store.replace(stale, fresh)),
    clear: (except) => attempt((store) => store.clear(except)),
  };
};
