import { catchError, concat, defer, EMPTY, merge, mergeMap, type Observable, of } from 'rxjs';

import { StatusError } from '../../model/errors';
import type { Report } from '../../model/report';
import type { BatchRequests } from './batchRequests';
import { deliveryOf, lost, type Outcome } from './outcome';
import type { UploadPause } from './uploadPause';
import { type Batch, batchOf, type UploadQueue } from './uploadQueue';

/** Larger batches would leave other requests no room to outlive the page. */
const maxKeepaliveBatchBytes = 28 * 1024;

/**
 * Statuses that say that the events are at fault: a repetition would change nothing. A wrong key or path is mended
 * elsewhere, so those wait.
 */
const refusals = [400, 413, 422];

export interface SendDeps {
  readonly queue: UploadQueue;
  readonly pause: UploadPause;
  readonly requests: BatchRequests;
  readonly report: Report;
}

/** Sends a batch. What the server does not take, for a reason that may pass, waits in the queue again. Never errors. */
export const sendBatch = (batch: Batch, deps: SendDeps): Observable<Outcome> => {
  const { pause, requests } = deps;
  const fits = batch.bytes <= Math.min(maxKeepaliveBatchBytes, requests.keepaliveRoom());
  // Some browsers refuse keepalive, so every other repetition goes without it.
  return post(batch, fits && pause.attempts() % 2 === 0, deps).pipe(
    catchError((error: unknown) => failed(batch, error, deps)),
  );
};

/**
 * Takes what waits, as much as the browser lets outlive the page. All batches are taken before the first is sent,
 * because one that fails at once is put back into the queue. While the page unloads, the request that ends with it is
 * repeated.
 */
export const takeAtExit = (isUnloading: boolean, { queue, pause, requests }: SendDeps): readonly Batch[] => {
  if (pause.isAsked()) return [];
  const exposed = requests.exposed();
  if (isUnloading && exposed) queue.giveBack(exposed);
  return batchesWithin(requests.keepaliveRoom(), queue);
};

/**
 * Sends batches so that they outlive the page. While the page unloads, one that fails at once is handed to the browser
 * as a beacon; nobody is left to hear of it, so its events stay in the queue and in the stores, and the next page
 * repeats them.
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

const post = (batch: Batch, keepalive: boolean, { queue, pause, requests, report }: SendDeps): Observable<Outcome> =>
  requests
    .post(batch, keepalive)
    .pipe(
      mergeMap((results) => [
        ...pause.end(),
        ...batch.items.flatMap((item, i) => (queue.settle(item.id) ? [deliveryOf(item, results[i], report)] : [])),
      ]),
    );

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
  const sendRight = (): Observable<Outcome> => {
    if (pause.isOver()) return sendBatch(right, deps);
    queue.giveBack(right);
    return EMPTY;
  };
  return concat(sendBatch(left, deps), defer(sendRight));
};

const batchesWithin = (limitBytes: number, queue: UploadQueue): readonly Batch[] => {
  const batches: Batch[] = [];
  let left = limitBytes;
  for (let batch = queue.take(left); batch !== undefined; batch = queue.take(left)) {
    batches.push(batch);
    left -= batch.bytes;
  }
  return batches;
};
