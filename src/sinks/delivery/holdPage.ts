import { ignoreElements, merge, type Observable, startWith, switchMap, takeUntil } from 'rxjs';

import { aliveLock } from '../../model/aliveLock';

/** Locks, and the page's return. */
export interface HoldPageDeps {
  /** `Platform.hold`: takes a lock while subscribed, and emits whether it was free. */
  readonly hold: (name: string) => Observable<boolean>;
  /** The page came back from the back-forward cache. */
  readonly return$: Observable<unknown>;
}

/** Name of the lock of a page whose events nobody else may deliver. */
export const pageLock = (page: string): string => `permutive-page-${page}`;

/**
 * Holds the locks of this page while it lives, and subscribes `work$` meanwhile. Both end at `unload$`, even when the
 * page only enters the back-forward cache, because it may never return from there; both begin again when it does.
 */
export const holdPage = <A>(
  page: string,
  unload$: Observable<unknown>,
  work$: Observable<A>,
  { hold, return$ }: HoldPageDeps,
): Observable<A> =>
  return$.pipe(
    startWith(undefined),
    switchMap(() =>
      merge(...[pageLock(page), aliveLock(page)].map((name) => hold(name).pipe(ignoreElements())), work$).pipe(
        takeUntil(unload$),
      ),
    ),
  );
