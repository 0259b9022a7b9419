import {
  concat,
  connect,
  defer,
  EMPTY,
  filter,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  repeat,
  startWith,
  tap,
} from 'rxjs';

import type { CallDeps } from '../../endpoints/call';
import type { Report } from '../../model/report';
import { late } from '../../operators/creators/late';
import { exhaustLatest } from '../../operators/exhaustLatest';
import { batchRequests } from './batchRequests';
import type { Outcome } from './outcome';
import type { Pause } from './pause';
import type { uploadRefusals } from './refusals';
import { sendAtExit, sendBatch, type SendDeps, takeAtExit } from './sendBatch';
import { uploadPause, type UploadPauseDeps } from './uploadPause';
import type { UploadQueue } from './uploadQueue';

/** Requests, clock and reports of the upload. */
export interface UploadDeps extends CallDeps, UploadPauseDeps {
  readonly report: Report;
  /**
   * Loads the code that judges refused batches. Cold; emits once, or completes without a value where it could not be
   * loaded.
   */
  readonly loadRefusals$: Observable<typeof uploadRefusals>;
}

/**
 * The queue may have something to send. `leave`: the page may be going away, so it is sent so that it outlives the
 * page.
 */
export interface UploadTurn {
  readonly leave?: { readonly isUnloading: boolean } | undefined;
}

/**
 * Sends what is in the queue in batches, one request at a time, and emits what became of each event. Never errors.
 *
 * After a failed request there is a pause; at the start, the `stored` pause of the page before goes on. A pause grows
 * with each failure. It ends with its time or, unless the server has asked for it, when the network returns. On page
 * exit, what waits is sent so that it outlives the page, as far as it fits (spec C§4, S§4). An event leaves the queue
 * only when the server has answered for it.
 */
export const upload = (
  turn$: Observable<UploadTurn>,
  queue: UploadQueue,
  stored: Pause | null,
  deps: UploadDeps,
): Observable<Outcome> =>
  defer(() => {
    const pause = uploadPause(stored, deps);
    const refusals = late(deps.loadRefusals$.pipe(map((make) => () => make(sending, deps.now))));
    const sending: SendDeps = { queue, pause, refusals, requests: batchRequests(deps), report: deps.report };

    /** Sends one batch, of what waits at that moment. */
    const sendNext = (): Observable<Outcome> => {
      const batch = queue.take(undefined, refusals.current()?.maxEvents());
      return batch === undefined ? EMPTY : sendBatch(batch, sending);
    };
    /** Sends batch after batch until nothing waits, each after the pause. */
    const sendAll = (): Observable<Outcome> =>
      concat(pause.wait(), defer(sendNext)).pipe(repeat({ delay: () => (queue.isEmpty() ? EMPTY : of(null)) }));
    // Sends what waits so that it outlives the page. What is left in the queue goes by ordinary requests: at once where
    // the page stays, else after those of the exit.
    const exit = (isUnloading: boolean): Observable<Outcome | typeof proceed> => {
      const batches = takeAtExit(isUnloading, sending);
      const sent$ = batches.length === 0 ? EMPTY : concat(sendAtExit(batches, isUnloading, sending), proceed$);
      return isUnloading ? sent$ : merge(sent$, proceed$);
    };

    return turn$.pipe(
      startWith<UploadTurn>({}),
      tap(() =>
        refusals
          .current()
          ?.release()
          .forEach((batch) => queue.giveBack(batch, true)),
      ),
      // mergeMap: requests of a page exit do not wait for the one that is under way.
      mergeMap(({ leave }) => (leave ? exit(leave.isUnloading) : proceed$)),
      connect((step$) =>
        merge(
          step$.pipe(filter((step) => step !== proceed)),
          step$.pipe(
            filter((step) => step === proceed),
            exhaustLatest(sendAll),
          ),
        ),
      ),
    );
  });

/** Marks, among the outcomes, that the queue is to be worked on. */
const proceed = 'proceed' as const;
const proceed$ = of(proceed);
