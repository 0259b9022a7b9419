import { mergeMap, type MonoTypeOperatorFunction, race, throwError, timer } from 'rxjs';

/**
 * Errors where the source has neither emitted nor ended within `ms`. Completion and errors are passed on.
 *
 *     source:  -----a-b|   within 3: ---#   within 9: -----a-b|
 */
export const firstWithin =
  <A>(ms: number, error: () => Error = () => new Error('Timeout has occurred')): MonoTypeOperatorFunction<A> =>
  (source$) =>
    // race: the source stops the clock with its first value.
    race(source$, timer(ms).pipe(mergeMap(() => throwError(() => error()))));
