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

/** Several clicks on one ad within this time count as one (spec S§9). */
const sameClickMs = 1000;

/**
 * Lets the first of several clicks on one ad through; the next one counts a second after it. `place` answers the id by
 * which ads are told apart.
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
 * Says when to look where the focus has gone, each time the page loses it: at once, because the page may be gone in a
 * moment, and again in the next task, because some browsers move the focus after the event. Emits 0 each time.
 */
export const focusMoments = (focusLoss$: Observable<unknown>): Observable<unknown> =>
  focusLoss$.pipe(switchMap(() => timer(0).pipe(startWith(0))));
