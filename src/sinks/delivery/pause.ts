import * as t from 'io-ts';

/**
 * A pause between requests: `waitMs` from `at` (ms since 1970), after `attempts` failures in a row. `asked`: the server
 * has named the time by `Retry-After`. It is stored with the state, so that it outlives the page.
 */
export const Pause = t.strict({ at: t.number, waitMs: t.number, attempts: t.number, asked: t.boolean }, 'Pause');
/** The same as a type. */
export type Pause = Readonly<t.TypeOf<typeof Pause>>;

/** Longer than a header of six digits can ask for. Timers overflow beyond 2^31 ms. */
const longestMs = 1e9;

/**
 * What is left of a pause, in ms. A clock that was set back does not lengthen the pause; one that was set forward ends
 * it.
 */
export const remainingMs = ({ at, waitMs }: Pause, now: number): number =>
  Math.max(0, Math.min(waitMs, at + waitMs - now, longestMs));
