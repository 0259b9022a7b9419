import { auditTime, catchError, concat, defer, EMPTY, finalize, from, merge, mergeMap, type Observable, of, race, retry, take, tap, throwError, timer } from 'rxjs';
import { batchEvents, type EventResult, type UploadedEvent } from '../endpoints/batchEvents';
import { call, type CallDeps } from '../endpoints/call';
import { urlOf } from '../endpoints/endpoint';
import type { QueuedEvent } from '../model/appState';
import { StatusError } from '../model/networkError';
import { type Batch, uploadQueue } from '../model/uploadQueue';
import { backoffMs } from '../operators/backoff';
import { coalesce } from '../operators/coalesce';
import type { Report } from '../model/report';

/** Events of one burst travel together: a page view and what it led to. */
const gatherMs = 50;
/** Requests up to this size may outlive the page; browsers allow 64 KiB for all that are under way. */
const keepaliveBytes = 28 * 1024;
const lastBytes = 60 * 1024;

export interface UploadDeps extends CallDeps {
  readonly report: Report;
  readonly random: () => number;
  /** The network came back. */
  readonly online$: Observable<unknown>;
}

/** What the server said of one event; without `error` it was taken. */
export interface Delivery {
  readonly id: string;
  readonly error?: string;
}

/**
 * Sends accepted events in batches, one request at a time, and says what became of each. A request that fails is repeated
 * with growing, jittered waits for as long as the page lives; at `flush$` what waits is sent so that it outlives the page
 * (spec C§4, S§4). An event the server refuses costs itself, not its batch.
 */
export const upload = (event$: Observable<QueuedEvent>, flush$: Observable<unknown>, deps: UploadDeps): Observable<Delivery> =>
  defer(() => {
    const queue = uploadQueue();
    const encoder = new TextEncoder();
    const bytesOf = (event: QueuedEvent): number => encoder.encode(deps.json.stringify(wireEvent(event))).length;
    let keptAlive = 0;

    const settled = (delivery$: Observable<Delivery>): Observable<Delivery> => delivery$.pipe(tap(({ id }) => queue.settle(id)));

    const sendAll = (): Observable<Delivery> =>
      defer(() => {
        const batch = queue.take();
        return batch === undefined ? EMPTY : concat(settled(sendPatiently(batch, deps)), sendAll());
      });

    const sendLast = (): Observable<Delivery> =>
      defer(() => {
        const batch = queue.take(lastBytes - keptAlive);
        if (batch === undefined) return EMPTY;
        keptAlive += batch.bytes;
        const sent$ = settled(post(batch, deps, true)).pipe(
          // Refused by the browser, or no answer: it stays in the queue and in the store.
          catchError(() => {
            if (beacon(batch, deps)) return EMPTY;
            queue.giveBack(batch);
            return EMPTY;
          }),
          finalize(() => (keptAlive -= batch.bytes)),
        );
        return merge(sent$, sendLast());
      });

    return merge(
      event$.pipe(
        tap((event) => queue.add({ event, bytes: bytesOf(event) })),
        auditTime(gatherMs),
        coalesce(sendAll),
      ),
      flush$.pipe(mergeMap(sendLast)),
    );
  });

/** Repeats until the server has answered; what it refuses as a whole is halved until the one at fault is alone. */
const sendPatiently = (batch: Batch, deps: UploadDeps): Observable<Delivery> => {
  let attempts = 0;
  return defer(() => post(batch, deps, (attempts += 1) === 1 && batch.bytes <= keepaliveBytes)).pipe(
    retry({
      delay: (error: unknown, count) => {
        if (isRefusal(error)) return throwError(() => error as Error);
        deps.report('Error sending events batch', error);
        const wait$ = timer(Math.max(backoffMs(count, deps.random()), error instanceof StatusError ? (error.retryAfterMs ?? 0) : 0));
        return race(wait$, deps.online$).pipe(take(1));
      },
    }),
    catchError((error: unknown) => {
      const [first, ...others] = batch.events;
      if (first === undefined) return EMPTY;
      if (others.length === 0) return of(failed(first, error, deps));
      return from(halves(batch)).pipe(mergeMap((half) => sendPatiently(half, deps), 1));
    }),
  );
};

/** What the request holds is at fault, so that repeating it would change nothing. A wrong key or path is mended elsewhere: those wait. */
const refusals = [400, 413, 422];
const isRefusal = (error: unknown): boolean => error instanceof StatusError && refusals.includes(error.status);

const halves = (batch: Batch): readonly Batch[] => {
  const middle = Math.ceil(batch.events.length / 2);
  return [batch.events.slice(0, middle), batch.events.slice(middle)].map((events) => ({ ...batch, events, bytes: batch.bytes / 2 }));
};

const inputOf = ({ events, enrich, sdkProcessed }: Batch) => ({
  query: [
    ['enrich', String(enrich)],
    ['sdkp', String(sdkProcessed)],
  ] as const,
  body: events.map(wireEvent),
});

const post = (batch: Batch, deps: UploadDeps, keepalive: boolean): Observable<Delivery> =>
  call(batchEvents, inputOf(batch), deps, { keepalive }).pipe(mergeMap((results) => batch.events.map((event, i) => deliveryOf(event, results[i], deps))));

const beacon = (batch: Batch, { http, json, setting }: UploadDeps): boolean => {
  const input = inputOf(batch);
  return http.beacon(urlOf(batchEvents, input, setting), json.stringify(input.body));
};

/** No result of its own: the server took the batch as a whole. */
const deliveryOf = (event: QueuedEvent, result: EventResult | undefined, deps: UploadDeps): Delivery =>
  result === undefined || result.code === 200 ? { id: event.id } : failed(event, new Error(`Status code was ${result.code}`), deps);

const failed = (event: QueuedEvent, cause: unknown, { report }: UploadDeps): Delivery => {
  const error = `Failed to track ${event.name}`;
  report(error, cause);
  return { id: event.id, error };
};

const wireEvent = ({ id, user_id, name, time, segments, cohorts, properties, session_id, view_id }: QueuedEvent): UploadedEvent => ({
  id,
  user_id,
  name,
  time,
  segments,
  cohorts,
  properties,
  session_id,
  view_id,
});
