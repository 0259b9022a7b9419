import { defer, EMPTY, type Observable, of, repeat, take, throwIfEmpty, timer } from 'rxjs';

/** How often to ask; the defaults are those of spec C§9. */
export interface PollOptions {
  readonly everyMs?: number;
  readonly times?: number;
  /** How much longer each wait is than the one before. */
  readonly factor?: number;
}

/** Asked the last time in vain. */
export class PollError extends Error {
  override readonly name = 'PollError';
}

/**
 * Asks `read` at once and then every `everyMs` (times `factor` each time) until it has something, at most `times` times
 * in all. Emits that and completes; errors with `PollError` when there was nothing to the end.
 */
export const poll = <A>(
  read: () => A | undefined,
  { everyMs = 50, times = 20, factor = 1 }: PollOptions = {},
): Observable<A> =>
  defer(() => {
    const value = read();
    return value === undefined ? EMPTY : of(value);
  }).pipe(
    // An attempt in vain completes: an error for each would take a stack each.
    repeat({ count: times, delay: (attempts) => timer(everyMs * factor ** (attempts - 1)) }),
    take(1),
    throwIfEmpty(() => new PollError(`Nothing after ${times} attempts`)),
  );
