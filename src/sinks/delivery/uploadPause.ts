import { defer, EMPTY, filter, map, merge, mergeMap, type Observable, take, tap, timer } from 'rxjs';

import { StatusError } from '../../model/errors';
import { backoffMs } from '../../operators/backoff';
import type { PauseChange } from './outcome';
import { type Pause, remainingMs } from './pause';

/** Browsers that were told the same time come back spread over this many ms. */
const askedSpreadMs = 300;
/** A server that asks for less is served by the usual back-off, which is at least as long. */
const leastAskedMs = 1000;

export interface UploadPauseDeps {
  readonly random: () => number;
  readonly now: () => number;
  /** The network came back. */
  readonly online$: Observable<unknown>;
}

/** The pause between requests. It grows with each request that fails in a row. */
export interface UploadPause {
  /** Requests that have failed since the last one was answered. */
  readonly attempts: () => number;
  /** A request may go. */
  readonly isOver: () => boolean;
  /** The server has asked for this pause, and it is not over: no request may go, not even on page exit. */
  readonly isAsked: () => boolean;
  /** Completes when the pause is over. Emits where the network's return has ended it early. */
  readonly wait: () => Observable<PauseChange>;
  /** A request has failed: the next pause begins, as long as the server asked for or as the back-off says. */
  readonly begin: (error: unknown) => PauseChange;
  /** The server has answered: the next failure is the first one again. Nothing to tell where there was no pause. */
  readonly end: () => readonly PauseChange[];
}

export const uploadPause = (stored: Pause | null, { now, random, online$ }: UploadPauseDeps): UploadPause => {
  // It stays after its time, because it counts the failures, until a request is answered.
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
          // The network's return is no answer to a server that asked for a pause.
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
      const askedMs = error instanceof StatusError ? (error.retryAfterMs ?? 0) : 0;
      const asked = askedMs >= leastAskedMs;
      leftMs = asked ? askedMs + random() * askedSpreadMs : backoffMs(attempts, random());
      return changeTo({ at: now(), waitMs: leftMs, attempts, asked });
    },
    end: () => (pause === null ? [] : [changeTo(null)]),
  };
};
