import {
  asyncScheduler,
  debounce,
  defer,
  type MonoTypeOperatorFunction,
  type Observable,
  race,
  tap,
  timer,
} from 'rxjs';

/**
 * Emits the latest value once the source has been quiet for `quietMs`, or at once when `flush$` says so, and at the
 * latest `maxMs` after the first value that is pending.
 * Completion flushes what is pending; an error drops it.
 *
 *     source:   a-b-------c|
 *     flush:    ---f--------
 *     (5)       ---b-------(c|)
 */
export const debounceUntil =
  <T>(quietMs: number, flush$: Observable<unknown>, maxMs = Infinity): MonoTypeOperatorFunction<T> =>
  (source$) =>
    defer(() => {
      /** When the first pending value came, in ms; Infinity where none is pending. */
      let since = Infinity;
      return source$.pipe(
        // A clock that is set back makes the wait begin anew.
        tap(() => (since = Math.min(since, asyncScheduler.now()))),
        debounce(() => race(timer(Math.min(quietMs, since + maxMs - asyncScheduler.now())), flush$)),
        tap(() => (since = Infinity)),
      );
    });
