import {
  catchError,
  concat,
  connect,
  defer,
  EMPTY,
  filter,
  finalize,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  race,
  repeat,
  startWith,
  take,
  tap,
  timer,
} from 'rxjs';

import { batchTexts, type EventResult } from '../../endpoints/batchEvents';
import { call, type CallDeps } from '../../endpoints/call';
import { type Input, urlOf } from '../../endpoints/endpoint';
import { StatusError } from '../../model/networkError';
import type { Report } from '../../model/report';
import { backoffMs } from '../../operators/backoff';
import { exhaustLatest } from '../../operators/exhaustLatest';
import { type Pause, remainingMs } from './pause';
import { type Batch, batchOf, listText, type UploadItem, type UploadQueue } from './uploadQueue';

/** Requests up to this size may outlive the page; browsers allow 64 KiB for all that are under way. */
const keepaliveBytes = 28 * 1024;
const lastBytes = 60 * 1024;
/** Spread over this, so that browsers that were told the same time do not come at the same time. */
const askedSpreadMs = 300;
/** Asked for less, we wait as long as we would anyway. */
const leastAskedMs = 1000;

export interface UploadDeps extends CallDeps {
  readonly report: Report;
  readonly random: () => number;
  readonly now: () => number;
  /** The network came back. */
  readonly online$: Observable<unknown>;
}

/** There is something to send; `leave` when the page may be going away with it. */
export interface Turn {
  readonly leave?: { readonly isUnloading: boolean } | undefined;
}

/** What the server said of one event; without `error` it was taken. */
export interface Delivery {
  readonly id: string;
  readonly error?: string;
}

/** What became of an event, or of the pause between requests. */
export type Outcome = Delivery | { readonly pause: Pause | null };
export const isDelivery = (outcome: Outcome): outcome is Delivery => 'id' in outcome;

/**
 * Sends what is in the queue in batches, one request at a time, and says what became of each event. After a request that
 * failed there is a pause, from the `stored` one of the page before: longer each time, ended by the network's return, or as
 * long as the server asked for. When the page leaves, what waits is sent so that it outlives the page, as far as it fits
 * (spec C§4, S§4). An event leaves the queue only when the server has answered for it.
 */
export const upload = (
  turn$: Observable<Turn>,
  queue: UploadQueue,
  stored: Pause | null,
  deps: UploadDeps,
): Observable<Outcome> =>
  defer(() => {
    let pause = stored;
    let restMs = stored ? remainingMs(stored, deps.now()) : 0;
    let keptAlive = 0;
    // A request that ends with the page.
    let exposed: Batch | undefined;

    const pauseIs = (now: Pause | null): Outcome => ({ pause: (pause = now) });

    const rest = (): Observable<Outcome> =>
      defer(() => {
        if (restMs === 0) return EMPTY;
        const online$ = deps.online$.pipe(filter(() => pause?.asked === false));
        return race(timer(restMs).pipe(map(() => pause)), online$.pipe(map(() => null))).pipe(
          take(1),
          tap(() => (restMs = 0)),
          mergeMap((now) => (now === pause ? EMPTY : of(pauseIs(now)))),
        );
      });

    const post = (batch: Batch, keepalive: boolean): Observable<Outcome> =>
      defer(() => {
        if (keepalive) keptAlive += batch.bytes;
        else exposed = batch;
        return call(batchTexts, inputOf(batch), deps, { keepalive });
      }).pipe(
        finalize(() => {
          if (keepalive) keptAlive -= batch.bytes;
          else if (exposed === batch) exposed = undefined;
        }),
        mergeMap((results) => [
          ...(pause ? [pauseIs(null)] : []),
          ...batch.items.flatMap((item, i) => (queue.settle(item.id) ? [deliveryOf(item, results[i], deps)] : [])),
        ]),
      );

    // Every other repetition goes without the flag: some browsers refuse it.
    const send = (batch: Batch): Observable<Outcome> =>
      post(
        batch,
        batch.bytes <= keepaliveBytes && keptAlive + batch.bytes <= lastBytes && (pause?.attempts ?? 0) % 2 === 0,
      ).pipe(catchError((error: unknown) => unsent(batch, error)));

    const unsent = (batch: Batch, error: unknown): Observable<Outcome> => {
      if (isRefusal(error)) return refused(batch, error);
      queue.giveBack(batch);
      deps.report('Error sending events batch', error);
      const attempts = (pause?.attempts ?? 0) + 1;
      const askedMs = error instanceof StatusError ? (error.retryAfterMs ?? 0) : 0;
      const asked = askedMs >= leastAskedMs;
      restMs = asked ? askedMs + deps.random() * askedSpreadMs : backoffMs(attempts, deps.random());
      return of(pauseIs({ at: deps.now(), waitMs: restMs, attempts, asked }));
    };

    /** Halved until the event at fault is alone: it costs itself, not its batch. */
    const refused = ({ items, flags }: Batch, error: unknown): Observable<Outcome> => {
      const [first, ...others] = items;
      if (first === undefined) return EMPTY;
      if (others.length === 0) return queue.settle(first.id) ? of(lost(first, error, deps)) : EMPTY;
      const middle = Math.ceil(items.length / 2);
      const [left, right] = [batchOf(items.slice(0, middle), flags), batchOf(items.slice(middle), flags)];
      const sendRight = (): Observable<Outcome> => {
        if (restMs === 0) return send(right);
        queue.giveBack(right);
        return EMPTY;
      };
      return concat(send(left), defer(sendRight));
    };

    const sendNext = (): Observable<Outcome> => {
      const batch = queue.take();
      return batch === undefined ? EMPTY : send(batch);
    };
    const sendAll = (): Observable<Outcome> =>
      concat(rest(), defer(sendNext)).pipe(repeat({ delay: () => (queue.isEmpty() ? EMPTY : of(null)) }));

    const sendLast = (isUnloading: boolean): Observable<Outcome | Turn> => {
      if (restMs > 0 && pause?.asked === true) return EMPTY;
      if (isUnloading && exposed) queue.giveBack(exposed);
      // All are taken before the first is sent: one that fails at once waits again.
      const batches = takeWithin(lastBytes - keptAlive, queue);
      const sent$ = merge(
        ...batches.map((batch) =>
          post(batch, true).pipe(
            catchError((error: unknown) => {
              // No answer will be heard: it stays in the queue and in the stores.
              if (isUnloading) beacon(batch, deps);
              return unsent(batch, error);
            }),
          ),
        ),
      );
      return batches.length === 0 ? EMPTY : concat(sent$, of({}));
    };

    return turn$.pipe(
      startWith<Turn>({}),
      mergeMap((turn): Observable<Outcome | Turn> =>
        turn.leave ? merge(sendLast(turn.leave.isUnloading), turn.leave.isUnloading ? EMPTY : of({})) : of(turn),
      ),
      connect((step$) =>
        merge(
          step$.pipe(filter(isOutcome)),
          step$.pipe(
            filter((step) => !isOutcome(step)),
            exhaustLatest(sendAll),
          ),
        ),
      ),
    );
  });

const isOutcome = (step: Outcome | Turn): step is Outcome => 'id' in step || 'pause' in step;

/** What the request holds is at fault, so that repeating it would change nothing. A wrong key or path is mended elsewhere: those wait. */
const refusals = [400, 413, 422];
const isRefusal = (error: unknown): boolean => error instanceof StatusError && refusals.includes(error.status);

const takeWithin = (limitBytes: number, queue: UploadQueue): readonly Batch[] => {
  const batches: Batch[] = [];
  let left = limitBytes;
  for (let batch = queue.take(left); batch !== undefined; batch = queue.take(left)) {
    batches.push(batch);
    left -= batch.bytes;
  }
  return batches;
};

const inputOf = ({ items, flags }: Batch): Input<string> => ({
  query: [
    ['enrich', String(flags.enrich)],
    ['sdkp', String(flags.sdkProcessed)],
  ],
  body: listText(items),
});

const beacon = (batch: Batch, { http, setting }: UploadDeps): boolean =>
  http.beacon(urlOf(batchTexts, inputOf(batch), setting), listText(batch.items));

/** No result of its own: the server took the batch as a whole. */
const deliveryOf = (item: UploadItem, result: EventResult | undefined, deps: UploadDeps): Delivery =>
  result === undefined || result.code === 200
    ? { id: item.id }
    : lost(item, new Error(`Status code was ${result.code}`), deps);

/** An event that will not arrive. */
export const lost = ({ id, name }: UploadItem, cause: unknown, { report }: Pick<UploadDeps, 'report'>): Delivery => {
  const error = `Failed to track ${name}`;
  report(error, cause);
  return { id, error };
};
