import { debounce, type MonoTypeOperatorFunction, type Observable, race, timer } from 'rxjs';

/**
 * Emits the latest value once the source has been quiet for `quietMs`, or at once when `flush$` says so.
 * Completion flushes what is pending; an error drops it.
 *
 *     source:   a-b-------c|
 *     flush:    ---f--------
 *     (5)       ---b-------(c|)
 */
export const debounceUntil = <T>(quietMs: number, flush$: Observable<unknown>): MonoTypeOperatorFunction<T> =>
  debounce(() => race(timer(quietMs), flush$));
