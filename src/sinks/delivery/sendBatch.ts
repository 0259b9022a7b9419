import {
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  EMPTY,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  race,
  throwError,
  timer,
} from 'rxjs';

import type { EventResult } from '../../endpoints/batchTexts';
import { StatusError } from '../../model/errors';
import type { Report } from '../../model/report';
import type { Late } from '../../operators/creators/late';
import type { BatchRequests } from './batchRequests';
import { deliveryOf, type Outcome } from './outcome';
import type { Refusals } from './suspects';
import type { UploadPause } from './uploadPause';
import { type Batch, batchOf, type UploadItem, type UploadQueue } from './uploadQueue';

/**
 * Bytes of a batch that is sent with keepalive while the page stays. A larger one would leave other requests no room to
 * outlive the page.
 */
const maxKeepaliveBatchBytes = 28 * 1024;

/**
 * Time that the code which judges refused batches gets to load. It is in the deferred chunk, which has loaded long
 * before as a rule. Meanwhile a batch counts as under way.
 */
const judgeMs = 5000;

/** Queue, pause and requests that the sending of batches shares. */
export interface SendDeps {
  readonly queue: UploadQueue;
  readonly pause: UploadPause;
  /** What judges refused batches; made when the server has refused one. */
  readonly refusals: Late<Refusals>;
  readonly requests: BatchRequests;
  readonly report: Report;
}

/**
 * Sends a batch, and emits the outcome of its events. What the server does not take, for a reason that may pass, goes
 * back to the queue, and a pause begins. `isHalf`: the batch is a part of one that was refused. Never errors.
 */
export const sendBatch = (batch: Batch, deps: SendDeps, isHalf = false): Observable<Outcome> => {
  const { pause, requests } = deps;
  const fits = batch.bytes <= Math.min(maxKeepaliveBatchBytes, requests.keepaliveRoom());
  // Some browsers refuse keepalive, so every second repetition goes without it.
  const keepalive = fits && pause.attempts() % 2 === 0;
  return post(batch, keepalive, deps).pipe(
    catchError((error: unknown) => failed(batch, error, deps, keepalive, isHalf)),
  );
};

/**
 * Takes waiting events from the queue, as many as the browser lets outlive the page; none while the server has asked
 * for a pause. All batches are taken before the first is sent, because one that fails at once is put back into the
 * queue. While the page unloads, the batch of a request that would end with the page is taken again.
 */
export const takeAtExit = (isUnloading: boolean, deps: SendDeps): readonly Batch[] => {
  const { queue, pause, requests } = deps;
  if (pause.isAsked()) return [];
  const exposed = isUnloading ? requests.takeExposed() : undefined;
  if (exposed) queue.giveBack(exposed);
  return batchesWithin(requests.keepaliveRoom(), deps);
};

/**
 * Sends batches with keepalive, all at once. While the page unloads, one that fails at once is handed to the browser as
 * a beacon. A beacon has no answer, so its events stay in the queue and in the stores, and the next page sends them
 * again.
 */
export const sendAtExit = (batches: readonly Batch[], isUnloading: boolean, deps: SendDeps): Observable<Outcome> =>
  merge(
    ...batches.map((batch) =>
      post(batch, true, deps).pipe(
        catchError((error: unknown) => {
          if (isUnloading) deps.requests.beacon(batch);
          return failed(batch, error, deps, true);
        }),
      ),
    ),
  );

/**
 * Sends a batch, ends the pause with its answer, and settles its events. An event that was settled before, by a
 * repetition, is not told again. An event that the server may take later rests where the same answer has settled
 * others. Errors as `call` does, where the answer settles nothing, and where it says nothing of an event.
 */
const post = (batch: Batch, keepalive: boolean, deps: SendDeps): Observable<Outcome> =>
  deps.requests.post(batch, keepalive).pipe(
    mergeMap((results) => {
      const answered = batch.items.flatMap((item, i): readonly Answered[] => {
        const result = results[i];
        return result ? [{ item, result }] : [];
      });
      const failing = answered.filter(({ result }) => mayPass(result));
      const settling = answered.filter((each) => !failing.includes(each));
      const [first] = failing;
      if (first && settling.length === 0) return throwError(() => failureOf(first));
      const items = failing.map(({ item }) => item);
      const isWhole = answered.length === batch.items.length;
      return concat(
        settling.length > 0 ? settled(settling, deps) : [],
        first
          ? judged(batchOf(items, batch.flags), failureOf(first), deps, (refusals, part, error) => {
              refusals.rest(part);
              deps.report(sendingFailed, error);
              return EMPTY;
            })
          : EMPTY,
        isWhole ? EMPTY : unanswered(),
      );
    }),
  );

/** Whether the server may take the event later: it was too busy, or has failed. */
const mayPass = ({ code }: EventResult): boolean => code === 429 || code >= 500;
const failureOf = ({ result }: Answered): StatusError => new StatusError(result.code, 'One event');

/** An event with its part of the server's answer. */
interface Answered {
  readonly item: UploadItem;
  readonly result: EventResult;
}

/** Settles events by their results. */
const settled = (answered: readonly Answered[], { queue, pause, refusals, report }: SendDeps): readonly Outcome[] => {
  refusals.current()?.taken(answered.map(({ item }) => item.id));
  return [
    ...pause.end(),
    ...answered.flatMap(({ item, result }) => (queue.settle(item.id) ? [deliveryOf(item, result, report)] : [])),
  ];
};

const unanswered = (): Observable<never> => throwError(() => new Error('Events without a result'));

/**
 * What a failed request leads to. Where the server has answered, the answer may say that an event is at fault, which is
 * judged. Else the events go back to the queue, and a pause begins.
 *
 * Browsers end the requests of a page just before they say that it goes. One with keepalive goes on all the same, so
 * its end counts in the next task only, which a page that goes does not have. Its events are not sent again at page
 * exit then, and the next page does not begin with a pause.
 */
const failed = (
  batch: Batch,
  error: unknown,
  deps: SendDeps,
  keepalive: boolean,
  isHalf = false,
): Observable<Outcome> => {
  if (error instanceof StatusError && error.retryAfterMs === undefined)
    return judged(batch, error, deps, (refusals) => refusals.judge(batch, error, isHalf));
  const putBack$ = putBack(batch, error, deps);
  return keepalive ? timer(0).pipe(mergeMap(() => putBack$)) : putBack$;
};

/** Acts with what judges refused batches. Where its code does not load, the events wait for a later attempt. */
const judged = (
  batch: Batch,
  error: StatusError,
  deps: SendDeps,
  act: (refusals: Refusals, batch: Batch, error: StatusError) => Observable<Outcome>,
): Observable<Outcome> =>
  race(deps.refusals.value$.pipe(defaultIfEmpty(undefined)), timer(judgeMs).pipe(map(() => undefined))).pipe(
    mergeMap((refusals) => (refusals ? act(refusals, batch, error) : putBack(batch, error, deps))),
  );

/** Reported for a batch that the server has not taken. */
export const sendingFailed = 'Error sending events batch';

/** Puts events back into the queue, behind the others where they are suspect, and begins a pause. */
export const putBack = (
  batch: Batch,
  error: unknown,
  { queue, pause, report }: SendDeps,
  isSuspect = false,
): Observable<Outcome> =>
  defer(() => {
    queue.giveBack(batch, isSuspect);
    report(sendingFailed, error);
    return of(pause.begin(error));
  });

/** Takes batches until the queue has nothing more that fits into so many bytes. */
const batchesWithin = (limitBytes: number, { queue, refusals }: SendDeps): readonly Batch[] => {
  const batches: Batch[] = [];
  let left = limitBytes;
  const take = (): Batch | undefined => queue.take(left, refusals.current()?.maxEvents());
  for (let batch = take(); batch !== undefined; batch = take()) {
    batches.push(batch);
    left -= batch.bytes;
  }
  return batches;
};
