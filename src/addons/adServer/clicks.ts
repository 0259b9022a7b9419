import {
  asyncScheduler,
  defer,
  filter,
  type MonoTypeOperatorFunction,
  type Observable,
  startWith,
  switchMap,
  timer,
} from 'rxjs';

/** Clicks on one ad within this time are one (spec S§9). */
const sameClickMs = 1000;

/**
 * Lets the first of several clicks on one ad through; the next counts a second later. `place`: what tells ads apart.
 *
 *     clicks   a-a-b-(999ms)-a
 *     output   a---b---------a
 */
export const oneClickEach =
  <Click>(place: (click: Click) => string): MonoTypeOperatorFunction<Click> =>
  (click$) =>
    defer(() => {
      const last = new Map<string, number>();
      return click$.pipe(
        filter((click) => {
          const now = asyncScheduler.now();
          // The absolute value, because a clock that was set back must not suppress clicks.
          const isSame = Math.abs(now - (last.get(place(click)) ?? -Infinity)) < sameClickMs;
          if (!isSame) last.set(place(click), now);
          return !isSame;
        }),
      );
    });

/**
 * Asks where the focus has gone: at once, for the page may be gone in a moment, and again when every browser has moved
 * it.
 */
export const focusMoments = (focusLoss$: Observable<unknown>): Observable<unknown> =>
  focusLoss$.pipe(switchMap(() => timer(0).pipe(startWith(0))));
