import { audit, connect, debounceTime, type MonoTypeOperatorFunction, race, startWith, timer } from 'rxjs';

/**
 * Emits the latest value once the source has been quiet for `quietMs`, but never keeps a burst
 * waiting longer than `maxMs`. Completion flushes what is pending; an error drops it.
 *
 *     source:   a-b-c-----d|
 *     (3, 5)    -----c-----(d|)
 */
export function debounceWithMax<T>(quietMs: number, maxMs: number): MonoTypeOperatorFunction<T> {
  return connect((value$) => {
    const quiet$ = value$.pipe(startWith(null), debounceTime(quietMs));
    return value$.pipe(audit(() => race(timer(maxMs), quiet$)));
  });
}
