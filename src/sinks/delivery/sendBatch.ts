import { catchError, concat, defer, EMPTY, merge, mergeMap, type Observable, of, throwError } from 'rxjs';

import type { EventResult } from '../../endpoints/batchTexts';
import { StatusError } from '../../model/errors';
import type { Report } from '../../model/report';
import type { BatchRequests } from './batchRequests';
import { deliveryOf, lost, type Outcome } from './outcome';
import type { Suspects } from './suspects';
import type { UploadPause } from './uploadPause';
import { type Batch, batchOf, type UploadItem, type UploadQueue } from './uploadQueue';

/**
 * Bytes of a batch that is sent with keepalive while the page stays. A larger one would leave other requests no room to
 * outlive the page.
 */
const maxKeepaliveBatchBytes = 28 * 1024;

/**
 * Statuses that say that the events are at fault. Other refusals, such as of a wrong key or path, are mended on the
 * server, so their events wait.
 */
const refusals = [400, 413, 422];

/**
 * Failed requests in a row after which a server that fails with 5xx may do so because of one event. After an outage of
 * ten seconds, there are not as many, and one request brings all that waits.
 */
const fewFailures = 6;

/** Queue, pause and requests that the sending of batches shares. */
export interface SendDeps {
  readonly queue: UploadQueue;
  readonly pause: UploadPause;
  readonly suspects: Suspects;
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
  return post(batch, fits && pause.attempts() % 2 === 0, deps).pipe(
    catchError((error: unknown) => failed(batch, error, deps, isHalf)),
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
  const exposed = requests.exposed();
  if (isUnloading && exposed) queue.giveBack(exposed);
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
          return failed(batch, error, deps);
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
      if (first) {
        deps.suspects.rest(
          batchOf(
            failing.map(({ item }) => item),
            batch.flags,
          ),
        );
        deps.report('Error sending events batch', failureOf(first));
      }
      const isWhole = answered.length === batch.items.length;
      return concat(settling.length > 0 ? settled(settling, deps) : [], isWhole ? EMPTY : unanswered());
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
const settled = (answered: readonly Answered[], { queue, pause, suspects, report }: SendDeps): readonly Outcome[] => {
  suspects.taken(answered.map(({ item }) => item.id));
  return [
    ...pause.end(),
    ...answered.flatMap(({ item, result }) => (queue.settle(item.id) ? [deliveryOf(item, result, report)] : [])),
  ];
};

const unanswered = (): Observable<never> => throwError(() => new Error('Events without a result'));

/**
 * What a failed request leads to. A batch that is refused, or that is known to be at fault, is halved; an event that is
 * alone at fault is given up, or rests where the server has not refused it. All others go back to the queue, and a
 * pause begins. Suspects go back behind the others, so that these are tried first.
 */
const failed = (batch: Batch, error: unknown, deps: SendDeps, isHalf = false): Observable<Outcome> => {
  const { queue, pause, suspects, report } = deps;
  const status = error instanceof StatusError && error.retryAfterMs === undefined ? error.status : 0;
  const isRefused = refusals.includes(status);
  const isAtFault = (isRefused || status >= 500) && suspects.areAtFault(batch);
  const isSuspect = isRefused || isAtFault || (status >= 500 && pause.attempts() >= fewFailures);
  // Halving costs requests, so events that were refused before are not halved again while the server takes none.
  const isNew = isHalf || !suspects.has(batch);
  if (isSuspect) suspects.add(batch);
  const [first, ...others] = batch.items;
  if (first && others.length > 0 && (isAtFault || (isRefused && isNew))) return sendHalves(batch, deps);
  if (first && others.length === 0 && (isAtFault || (isRefused && suspects.areOverdue(batch)))) {
    suspects.judged();
    if (isRefused) return queue.settle(first.id) ? of(lost(first, error, report)) : EMPTY;
    suspects.rest(batch);
    report('Error sending events batch', error);
    return EMPTY;
  }
  queue.giveBack(batch, isSuspect);
  report('Error sending events batch', error);
  return of(pause.begin(error));
};

/** Halves a batch until the event at fault is alone, so that it costs no other event. */
const sendHalves = ({ items, flags }: Batch, deps: SendDeps): Observable<Outcome> => {
  const { queue, pause } = deps;
  const middle = Math.ceil(items.length / 2);
  const [left, right] = [batchOf(items.slice(0, middle), flags), batchOf(items.slice(middle), flags)];
  // The first half may have begun a pause, which the second half must keep. It does not where the first one was a
  // single event, because only its neighbour can tell whether the event or the server is at fault.
  const sendRight = (): Observable<Outcome> => {
    if (pause.isOver() || (middle === 1 && !pause.isAsked())) return sendBatch(right, deps, true);
    queue.giveBack(right);
    return EMPTY;
  };
  return concat(sendBatch(left, deps, true), defer(sendRight));
};

/** Takes batches until the queue has nothing more that fits into so many bytes. */
const batchesWithin = (limitBytes: number, { queue, suspects }: SendDeps): readonly Batch[] => {
  const batches: Batch[] = [];
  let left = limitBytes;
  const take = (): Batch | undefined => queue.take(left, suspects.maxEvents());
  for (let batch = take(); batch !== undefined; batch = take()) {
    batches.push(batch);
    left -= batch.bytes;
  }
  return batches;
};
