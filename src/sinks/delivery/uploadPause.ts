import { defer, EMPTY, filter, map, merge, mergeMap, type Observable, take, tap, timer } from 'rxjs';

import { StatusError } from '../../model/errors';
import { backoffMs } from '../../operators/backoff';
import type { PauseChange } from './outcome';
import { longestPauseMs, type Pause, remainingMs } from './pause';

/** Spread of a pause that the server has asked for, in ms, so that not all browsers come back at the same moment. */
const askedSpreadMs = 300;
/** How the pauses grow where no answer came: five repetitions of an event in the first minute. */
const unansweredGrowth = 2;
/** A server that asks for less than this gets the usual back-off, which is at least as long. */
const leastAskedMs = 1000;

/** Clock, randomness (0 to 1) and the network's return. */
export interface UploadPauseDeps {
  readonly random: () => number;
  readonly now: () => number;
  /** The network has come back. */
  readonly online$: Observable<unknown>;
}

/** The pause between requests. It grows with each request that fails in a row. */
export interface UploadPause {
  /** Requests that have failed since the last one was answered. */
  readonly attempts: () => number;
  /** Whether a request may go now. */
  readonly isOver: () => boolean;
  /** Whether the server has asked for this pause and it is not over: no request may go, not even on page exit. */
  readonly isAsked: () => boolean;
  /** Completes when the pause is over. Emits the change first where the network's return has ended it early. */
  readonly wait: () => Observable<PauseChange>;
  /**
   * Called when a request has failed: the next pause begins, as long as the server has asked for, or as the back-off
   * says.
   */
  readonly begin: (error: unknown) => PauseChange;
  /**
   * Called when the server has answered: the next failure counts as the first one. Answers nothing where there was no
   * pause.
   */
  readonly end: () => readonly PauseChange[];
}

/** Makes the pause of an upload. It begins with the pause of the page before, as far as that is not over. */
export const uploadPause = (stored: Pause | null, { now, random, online$ }: UploadPauseDeps): UploadPause => {
  // The pause stays after its time is over, until a request is answered, because it counts the failures.
  let pause = stored;
  let leftMs = stored ? remainingMs(stored, now()) : 0;
  const changeTo = (next: Pause | null): PauseChange => ({ pause: (pause = next) });
  return {
    attempts: () => pause?.attempts ?? 0,
    isOver: () => leftMs === 0,
    isAsked: () => leftMs > 0 && pause?.asked === true,
    wait: () =>
      defer(() => {
        if (leftMs === 0) return EMPTY;
        return merge(
          timer(leftMs).pipe(map(() => [])),
          // The network's return does not shorten a pause that the server has asked for.
          online$.pipe(
            filter(() => pause?.asked === false),
            map(() => [changeTo(null)]),
          ),
        ).pipe(
          take(1),
          tap(() => (leftMs = 0)),
          mergeMap((changes) => changes),
        );
      }),
    begin: (error) => {
      const attempts = (pause?.attempts ?? 0) + 1;
      const askedMs = error instanceof StatusError ? Math.min(error.retryAfterMs ?? 0, longestPauseMs) : 0;
      const asked = askedMs >= leastAskedMs;
      // Without an answer, the server may have taken the events, so they are repeated less often.
      const growth = error instanceof StatusError ? undefined : unansweredGrowth;
      leftMs = asked ? askedMs + random() * askedSpreadMs : backoffMs(attempts, random(), growth);
      return changeTo({ at: now(), waitMs: leftMs, attempts, asked });
    },
    end: () => {
      // A pause that the server has asked for is kept.
      if (pause?.asked !== true) leftMs = 0;
      return pause === null ? [] : [changeTo(null)];
    },
  };
};
