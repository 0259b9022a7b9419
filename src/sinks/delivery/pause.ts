import { AnyBoolean, AnyNumber, object, shape } from '../../codecs/codecs';
import { hourMs } from '../../primitives/duration';

/**
 * A pause between requests: `waitMs` from `at` (ms since 1970), after `attempts` failures in a row. `asked`: the server
 * has named the time by `Retry-After`. The pause is stored with the state, so that it outlives the page.
 */
export interface Pause {
  readonly at: number;
  readonly waitMs: number;
  readonly attempts: number;
  readonly asked: boolean;
}
export const PauseCodec = object<Pause>(
  'Pause',
  shape({ at: AnyNumber, waitMs: AnyNumber, attempts: AnyNumber, asked: AnyBoolean }),
);

/** The longest pause, in ms, whatever a server has asked for or a page has written into the store. */
export const longestPauseMs = hourMs;

/**
 * What is left of a pause, in ms. A clock that was set back does not lengthen the pause; one that was set forward ends
 * it.
 */
export const remainingMs = ({ at, waitMs }: Pause, now: number): number =>
  Math.max(0, Math.min(waitMs, at + waitMs - now, longestPauseMs));
