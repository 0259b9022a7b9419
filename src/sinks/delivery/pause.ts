import * as t from 'io-ts';

/**
 * A pause between requests: `waitMs` from `at` (ms since 1970), after `attempts` failures in a row. `asked`: the server
 * has named the time (`Retry-After`).
 */
export const Pause = t.strict({ at: t.number, waitMs: t.number, attempts: t.number, asked: t.boolean }, 'Pause');
export type Pause = Readonly<t.TypeOf<typeof Pause>>;

/** More than a header of six digits can ask for; beyond it timers overflow. */
const longestMs = 1e9;

/** What is left of a pause. A clock that was set back lengthens none, one that was set forward ends it. */
export const remainingMs = ({ at, waitMs }: Pause, now: number): number =>
  Math.max(0, Math.min(waitMs, at + waitMs - now, longestMs));
