import { concat, defer, EMPTY, type Observable, of } from 'rxjs';

import type { StatusError } from '../../model/errors';
import { lost, type Outcome } from './outcome';
import { putBack, sendBatch, type SendDeps, sendingFailed } from './sendBatch';
import { type Refusals, type Suspects, uploadSuspects } from './suspects';
import { type Batch, batchOf } from './uploadQueue';

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

/** Makes the judge of one upload. */
export const uploadRefusals = (deps: SendDeps, now: () => number): Refusals => {
  const suspects = uploadSuspects(now);
  return { ...suspects, judge: (batch, error, isHalf) => judge(batch, error, isHalf, suspects, deps) };
};

const judge = (
  batch: Batch,
  error: StatusError,
  isHalf: boolean,
  suspects: Suspects,
  deps: SendDeps,
): Observable<Outcome> => {
  const { queue, pause, report } = deps;
  const { status } = error;
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
    report(sendingFailed, error);
    return EMPTY;
  }
  return putBack(batch, error, deps, isSuspect);
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
