import { type MonoTypeOperatorFunction, type Observable, ReplaySubject, share, takeUntil } from 'rxjs';

/**
 * Shares a state: every reader, however late, starts with the current value. The source is held until `stop$`, not
 * until the last reader leaves, so a short-lived reader cannot reset it. `count`: how many of the latest values it
 * starts with.
 *
 *     source:  -a------b---c
 *     stop:    ----------s
 *     late:    ----a---b-|      subscribed at 4
 */
export const shareState =
  <T>(stop$: Observable<unknown>, count = 1): MonoTypeOperatorFunction<T> =>
  (state$) =>
    state$.pipe(
      takeUntil(stop$),
      share({
        // eslint-disable-next-line no-restricted-syntax -- the one Subject outside streams/: nobody can push into it
        connector: () => new ReplaySubject<T>(count),
        resetOnComplete: false,
        resetOnError: false,
        resetOnRefCountZero: false,
      }),
    );
