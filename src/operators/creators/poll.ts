import { defer, EMPTY, type Observable, of, repeat, take, throwIfEmpty, timer } from 'rxjs';

/** How often to ask; the defaults are those of spec C§9. */
export interface PollOptions {
  /** Wait before the second attempt, in ms. */
  readonly everyMs?: number;
  /** Attempts in all. */
  readonly times?: number;
  /** How much longer each wait is than the one before. */
  readonly factor?: number;
}

/** Nothing was there, up to the last attempt. */
export class PollError extends Error {
  override readonly name = 'PollError';
}

/**
 * Calls `read` at once and then every `everyMs` (times `factor` each time) until it answers something, at most `times`
 * times in all. Emits that and completes; errors with `PollError` where every attempt was in vain. Cold.
 */
export const poll = <A>(
  read: () => A | undefined,
  { everyMs = 50, times = 20, factor = 1 }: PollOptions = {},
): Observable<A> =>
  defer(() => {
    const value = read();
    return value === undefined ? EMPTY : of(value);
  }).pipe(
    // An attempt in vain completes without a value, because making an error for each would cost a stack trace each.
    repeat({ count: times, delay: (attempts) => timer(everyMs * factor ** (attempts - 1)) }),
    take(1),
    throwIfEmpty(() => new PollError(`Nothing after ${times} attempts`)),
  );
