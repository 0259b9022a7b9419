import { defer, type Observable, of, retry, throwError, timer } from 'rxjs';

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
 * Asks `read` at once and then every `everyMs` (times `factor` each time) until it has something, at most `times` times in all. Emits that and
 * completes; errors with `PollError` when there was nothing to the end.
 */
export const poll = <A>(
  read: () => A | undefined,
  { everyMs = 50, times = 20, factor = 1 }: PollOptions = {},
): Observable<A> =>
  defer(() => {
    const value = read();
    return value === undefined ? throwError(() => new PollError(`Nothing after ${times} attempts`)) : of(value);
  }).pipe(retry({ count: times - 1, delay: (_, n) => timer(everyMs * factor ** (n - 1)) }));
