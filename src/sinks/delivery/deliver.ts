import {
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  share,
  switchMap,
  takeUntil,
  tap,
} from 'rxjs';

import type { Json } from '../../hardening/json';
import { ownFields } from '../../hardening/ownFields';
import { numberedEvent, pageOfRecord, placeOf, withoutPlaceholders } from '../../model/delivery';
import type { NumberedEvent } from '../../model/event';
import type { PageExit } from '../../model/pageSignal';
import type { QueuedEvent, QueueEntry } from '../../model/queuedEvent';
import { aliveLock, pageLock } from '../../model/storageKeys';
import { bufferTask, type Burst } from '../../operators/bufferTask';
import type { Platform } from '../../platform/platform';
import { distinctById } from '../../primitives/distinctById';
import {
  type CountedUntil,
  type DeliveryInput,
  type DeliveryState,
  newDelivery,
  type UploadState,
} from './deliveryState';
import type { Pause } from './pause';
import { type Attempt, attempts, runDelivery, type RunDeliveryDeps, type RunDeliveryStreams } from './runDelivery';
import { uploadItemOf } from './uploadItem';

/** The page that delivers. */
export interface BacklogOwner {
  /** Id of this page. */
  readonly page: string;
  /** Whether this page has the events of that record of the journal. */
  readonly has: (key: string) => boolean;
  readonly attempt: Attempt;
  /** The page has something to do. */
  readonly work$: Observable<unknown>;
}

/** The network, the clock, the locks and the journal of delivery. */
export interface DeliverDeps
  extends Omit<RunDeliveryDeps, keyof RunDeliveryStreams | 'attempt'>, Pick<Platform, 'newId' | 'endOfTask' | 'hold'> {}

/** What happens to the page that delivers. */
export interface DeliverStreams extends RunDeliveryStreams {
  /** The page may be going away. */
  readonly flush$: Observable<PageExit>;
  /** The page came back from the back-forward cache. */
  readonly return$: Observable<unknown>;
  /** The saved state of an engine has these events. */
  readonly counted$: Observable<CountedUntil>;
}

/** What other pages have left to this one. */
export interface LeftBehind {
  /** What the stored state has of delivery now: the pause, and events that other versions of the SDK have left. */
  readonly stored: () => { readonly pause: Pause | null; readonly queue: readonly QueueEntry[] };
  /** Events of other pages that this page takes over. Nothing where the code for it could not be loaded. */
  readonly backlog: (owner: BacklogOwner) => Observable<DeliveryInput>;
}

/** An event that the page has accepted, with the user id and cohorts of that moment. */
export interface Accepted {
  readonly event: QueuedEvent;
  /** Whether it is sent at once, because the page may be about to unload. */
  readonly beacon?: boolean;
  /**
   * Whether the event still waits for data. Such an event is only written to the journal, and replaced there when it is
   * accepted again. Where the page is killed before that, the next page sends it as it is.
   */
  readonly waits?: boolean;
  /** The number of the event on this page, as in `Counting`. */
  readonly number?: number;
  readonly isProvisional?: boolean;
  /** The server need not get the event. */
  readonly isUploaded?: boolean;
}

/**
 * Brings the events that this page accepts to the server, and those that pages before it could not deliver. An event is
 * written to the journal in the task that accepts it, before it is sent, and leaves it when the server has answered
 * for it. `deliveryStep` has the rules.
 *
 * Each page sends its own events, and holds a lock of its id while it lives. A page takes over the events of pages
 * whose lock is free, together with their lock, so that exactly one page sends an event. Responses in flight at unload
 * are lost, so the next page sends those events again with the same ids; the server drops ids that it knows.
 */
export const deliver = (
  accepted$: Observable<Accepted>,
  { flush$, return$, online$, loadJudge$, counted$ }: DeliverStreams,
  { stored, backlog }: LeftBehind,
  deps: DeliverDeps,
) => {
  const page = deps.newId();
  const attempt = attempts(deps.report);
  let state = newDelivery(page, stored().pause);

  const accept$ = accepted$.pipe(bufferTask(flush$, deps.endOfTask), share());
  const has = (key: string): boolean => state.events.count(`/${key}`) > 0;
  const backlog$ = backlog({ page, has, attempt, work$: accept$ });
  // Locks and work end when the page unloads, even when the page only enters the back-forward cache, because the page
  // may never return from there. Locks and work begin again when the page returns.
  const lock = (name: string): Observable<never> => deps.hold(name).pipe(ignoreElements());
  const unload$ = flush$.pipe(filter(({ isUnloading }) => isUnloading));
  const whileAlive$ = merge(of(null), return$).pipe(
    switchMap(() => merge(lock(pageLock(page)), lock(aliveLock(page)), backlog$).pipe(takeUntil(unload$))),
  );
  const input$ = merge(
    accept$.pipe(mergeMap((task) => inputsOf(task, page, deps.json))),
    counted$.pipe(map((until): DeliveryInput => ({ type: 'counted', until }))),
    return$.pipe(map((): DeliveryInput => ({ type: 'returned' }))),
    whileAlive$,
  );
  const step$ = runDelivery(input$, state, { ...deps, online$, loadJudge$, attempt }).pipe(
    tap((step) => ({ state } = step)),
    share(),
  );

  return {
    /** Id of this page, which holds the lock `aliveLock` of it while it lives. */
    page,
    /**
     * The end of each event's delivery. The first subscription runs the delivery: journal, backlog and requests.
     * Further subscriptions only listen.
     */
    delivery$: step$.pipe(
      mergeMap(({ commands }) => commands.flatMap((each) => (each.type === 'settle' ? [each.delivery] : []))),
    ),
    /**
     * Events of this user that no engine has counted as far as this page knows, each page's in their order: those of
     * this moment.
     */
    uncounted: (userId: string): readonly NumberedEvent[] => uncounted(state, userId, deps.json),
    /** The same, of other pages as they are taken over. Hot: emits only while `delivery$` is subscribed. */
    uncounted$: (userId: string): Observable<NumberedEvent> =>
      step$.pipe(
        mergeMap(({ commands }) => commands.flatMap((each) => (each.type === 'count' ? [each.page] : []))),
        mergeMap((page) => uncounted(state, userId, deps.json, page)),
      ),
    /** `state` has changed. Hot: emits only while `delivery$` is subscribed. */
    change$: step$.pipe(filter(({ before, state: now }) => now.pause !== before.pause || now.pages !== before.pages)),
    /** The page exits, and everything that was accepted until then is in the journal. Hot, as `change$` is. */
    flushed$: accept$.pipe(mergeMap(({ flushed }) => (flushed ? [flushed] : []))),
    /** What local storage is to hold of the delivery, as it is now. */
    state: (): UploadState => state,
  };
};

/** The events of a user that an engine is to count, each page's in their order; `page`: only those of its records. */
const uncounted = ({ events }: DeliveryState, userId: string, json: Json, page?: string): readonly NumberedEvent[] =>
  [...events.values()]
    .flatMap(({ place, state, record, text }) => {
      if (!place || state === 'unfilled' || (page !== undefined && pageOfRecord(record) !== page)) return [];
      const event = json.parse(withoutPlaceholders(text)) as QueuedEvent;
      return event.user_id === userId ? [numberedEvent(event, place)] : [];
    })
    .sort((a, b) => a.number - b.number);

/** The delivery of one page. */
export type Delivering = ReturnType<typeof deliver>;

/**
 * The events of one task, and the exit that may follow. An event whose data came at once is accepted twice; its last
 * form counts.
 */
const inputsOf = (
  { values, flushed }: Burst<Accepted, PageExit>,
  page: string,
  json: Json,
): readonly DeliveryInput[] => {
  const items = distinctById(
    values.map((accepted) => {
      const { event, waits = false, number = 0, isProvisional = false, isUploaded = false } = ownFields(accepted);
      return uploadItemOf(event, json, { waits, place: placeOf(page, number, isProvisional), isUploaded });
    }),
  );
  const isUrgent = values.some(({ beacon }) => beacon);
  const isUnloading = flushed?.isUnloading ?? false;
  const accepted: DeliveryInput = { type: 'accepted', items, isUrgent, isUnloading };
  return flushed ? [accepted, { type: 'exit', isUnloading }] : [accepted];
};
