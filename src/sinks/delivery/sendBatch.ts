import { catchError, concat, defer, EMPTY, merge, mergeMap, type Observable, of } from 'rxjs';

import { StatusError } from '../../model/errors';
import type { Report } from '../../model/report';
import type { BatchRequests } from './batchRequests';
import { deliveryOf, lost, type Outcome } from './outcome';
import type { UploadPause } from './uploadPause';
import { type Batch, batchOf, type UploadQueue } from './uploadQueue';

/**
 * Bytes of a batch that is sent with keepalive while the page stays. A larger one would leave other requests no room to
 * outlive the page.
 */
const maxKeepaliveBatchBytes = 28 * 1024;

/**
 * Statuses that say that the events are at fault, so that a repetition would change nothing. Other refusals, such as of
 * a wrong key or path, are mended on the server, so their events wait.
 */
const refusals = [400, 413, 422];

/** Queue, pause and requests that the sending of batches shares. */
export interface SendDeps {
  readonly queue: UploadQueue;
  readonly pause: UploadPause;
  readonly requests: BatchRequests;
  readonly report: Report;
}

/**
 * Sends a batch, and emits the outcome of its events. What the server does not take, for a reason that may pass, goes
 * back to the queue, and a pause begins. Never errors.
 */
export const sendBatch = (batch: Batch, deps: SendDeps): Observable<Outcome> => {
  const { pause, requests } = deps;
  const fits = batch.bytes <= Math.min(maxKeepaliveBatchBytes, requests.keepaliveRoom());
  // Some browsers refuse keepalive, so every second repetition goes without it.
  return post(batch, fits && pause.attempts() % 2 === 0, deps).pipe(
    catchError((error: unknown) => failed(batch, error, deps)),
  );
};

/**
 * Takes waiting events from the queue, as many as the browser lets outlive the page; none while the server has asked
 * for a pause. All batches are taken before the first is sent, because one that fails at once is put back into the
 * queue. While the page unloads, the batch of a request that would end with the page is taken again.
 */
export const takeAtExit = (isUnloading: boolean, { queue, pause, requests }: SendDeps): readonly Batch[] => {
  if (pause.isAsked()) return [];
  const exposed = requests.exposed();
  if (isUnloading && exposed) queue.giveBack(exposed);
  return batchesWithin(requests.keepaliveRoom(), queue);
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
          return failed(batch, error, deps);
        }),
      ),
    ),
  );

/**
 * Sends a batch, ends the pause with its answer, and settles its events. An event that was settled before, by a
 * repetition, is not told again.
 */
const post = (batch: Batch, keepalive: boolean, { queue, pause, requests, report }: SendDeps): Observable<Outcome> =>
  requests
    .post(batch, keepalive)
    .pipe(
      mergeMap((results) => [
        ...pause.end(),
        ...batch.items.flatMap((item, i) => (queue.settle(item.id) ? [deliveryOf(item, results[i], report)] : [])),
      ]),
    );

/** What a failed request leads to: a refused batch is halved, any other goes back to the queue. */
const failed = (batch: Batch, error: unknown, deps: SendDeps): Observable<Outcome> => {
  if (error instanceof StatusError && refusals.includes(error.status)) return sendHalves(batch, error, deps);
  deps.queue.giveBack(batch);
  deps.report('Error sending events batch', error);
  return of(deps.pause.begin(error));
};

/** Halves a refused batch until the event at fault is alone, so that it costs no other event. */
const sendHalves = ({ items, flags }: Batch, error: unknown, deps: SendDeps): Observable<Outcome> => {
  const { queue, pause, report } = deps;
  const [first, ...others] = items;
  if (first === undefined) return EMPTY;
  if (others.length === 0) return queue.settle(first.id) ? of(lost(first, error, report)) : EMPTY;
  const middle = Math.ceil(items.length / 2);
  const [left, right] = [batchOf(items.slice(0, middle), flags), batchOf(items.slice(middle), flags)];
  // The first half may have begun a pause, which the second half must keep.
  const sendRight = (): Observable<Outcome> => {
    if (pause.isOver()) return sendBatch(right, deps);
    queue.giveBack(right);
    return EMPTY;
  };
  return concat(sendBatch(left, deps), defer(sendRight));
};

/** Takes batches until the queue has nothing more that fits into so many bytes. */
const batchesWithin = (limitBytes: number, queue: UploadQueue): readonly Batch[] => {
  const batches: Batch[] = [];
  let left = limitBytes;
  for (let batch = queue.take(left); batch !== undefined; batch = queue.take(left)) {
    batches.push(batch);
    left -= batch.bytes;
  }
  return batches;
};
