import {
  connect,
  debounceTime,
  filter,
  map,
  merge,
  mergeMap,
  type Observable,
  share,
  startWith,
  tap,
  withLatestFrom,
} from 'rxjs';

import type { Delivery } from '../../model/delivery';
import { distinctById } from '../../model/distinctById';
import type { PageExit } from '../../model/pageSignal';
import { bufferBurst, type Burst } from '../../operators/bufferBurst';
import { bufferTask } from '../../operators/bufferTask';
import type { Journal } from '../../platform/platform';
import type { QueuedEvent, UploadState } from './appState';
import { type AppStateDeps, readAppState } from './appStateStore';
import type { BacklogOwner } from './backlog';
import { holdPage, type HoldPageDeps } from './holdPage';
import { isDelivery, lost, type Outcome } from './outcome';
import { pageJournal } from './pageJournal';
import type { Pause } from './pause';
import { upload, type UploadDeps, type UploadTurn } from './upload';
import { uploadItemOf } from './uploadItem';
import { type UploadItem, uploadQueue } from './uploadQueue';

/**
 * Events are gathered for so many ms before they are sent, so that a page view and what it led to travel in one request
 * (spec C§4, task queue).
 */
const gatherMs = 50;

/** The network, the clock, the locks and the stores of delivery. */
export interface DeliverDeps extends UploadDeps, AppStateDeps, HoldPageDeps {
  readonly journal: Journal;
  /** A new UUID; it becomes the id of this page. */
  readonly newId: () => string;
  /** `Platform.endOfTask`: emits once, in a microtask at the end of this task. */
  readonly endOfTask: () => Observable<unknown>;
  /** Events of other pages that this page takes over, in lists. Nothing where the code for it could not be loaded. */
  readonly backlog: (owner: BacklogOwner) => Observable<readonly UploadItem[]>;
}

/** An event that the page has accepted, with the user id and cohorts of that moment. */
export interface Accepted {
  readonly event: QueuedEvent;
  /** Whether it is sent at once, because the page may be about to unload. */
  readonly beacon?: boolean;
  /**
   * Whether the event still waits for data. It is only written to the journal, and replaced there when it is accepted
   * again. Where the page is killed before that, the next page sends it as it is.
   */
  readonly waits?: boolean;
}

/** The delivery of one page. */
export interface Delivering {
  /** Id of this page, which holds the lock `aliveLock` of it while it lives. */
  readonly page: string;
  /**
   * The end of each event's delivery. The first subscription runs the delivery: queue, journal, backlog and requests.
   * Shared: further ones only listen.
   */
  readonly delivery$: Observable<Delivery>;
  /** `state` has changed. Hot: emits only while `delivery$` is subscribed. */
  readonly change$: Observable<unknown>;
  /** The page exits, and everything that was accepted until then is in queue and journal. Hot, as `change$` is. */
  readonly flushed$: Observable<PageExit>;
  /** What local storage is to hold of the delivery, as it is now. */
  readonly state: () => UploadState;
}

/**
 * Brings the events that this page accepts to the server, and those that pages before it could not deliver. An event is
 * written to the journal in the task that accepts it, before it is sent, and leaves it when the server has answered
 * for it.
 *
 * Each page sends its own events, and holds a lock of its id while it lives. A page takes over the events of pages
 * whose lock is free, together with their lock, so that exactly one page sends an event. Responses in flight at unload
 * are lost, so the next page sends those events again with the same ids; the server drops ids that it knows.
 */
export const deliver = (
  accepted$: Observable<Accepted>,
  flush$: Observable<PageExit>,
  deps: DeliverDeps,
): Delivering => {
  const page = deps.newId();
  const pages = new Set([page]);
  const queue = uploadQueue();
  const journal = pageJournal(page, deps);
  // Silent, because the visit reads the same stored state and reports its faults.
  let { pause }: { pause: Pause | null } = readAppState({ ...deps, report: () => undefined });

  const add = (items: readonly UploadItem[]): readonly UploadItem[] => items.flatMap((item) => queue.add(item));
  const unload$ = flush$.pipe(filter(({ isUnloading }) => isUnloading));
  // An event is in the journal from the task that accepts it, and in the queue once it was gathered.
  const accept$ = accepted$.pipe(
    bufferTask(flush$, deps.endOfTask),
    withLatestFrom(unloading(unload$, deps)),
    map(([{ values, flushed }, leave]) => ({ leave: flushed ?? leave, items: acceptedItems(values, page, deps) })),
    share(),
  );
  const fresh$ = gathered(accept$, accepted$).pipe(
    map(({ values, flushed: leave }) => ({ leave, dropped: add(values) })),
    share(),
  );
  const backlog$ = holdPage(
    page,
    unload$,
    deps.backlog({ page, own: journal, onTakeOver: (owner) => void pages.add(owner), work$: accept$ }),
    deps,
  ).pipe(
    map((items) => ({ leave: undefined, dropped: add(items) })),
    share(),
  );
  // Each turn first reports the events that the full queue has dropped, then lets the upload go on.
  const outcome$ = merge(fresh$, backlog$).pipe(
    connect((turn$) =>
      merge(
        turn$.pipe(mergeMap(({ dropped }) => dropped.map((item): Outcome => lost(item, queueIsFull(), deps.report)))),
        upload(turn$, queue, pause, deps),
      ),
    ),
    tap((outcome) => {
      if (!isDelivery(outcome)) ({ pause } = outcome);
    }),
    share(),
  );
  const delivered$ = outcome$.pipe(filter(isDelivery));
  // Gathered, so that the results of a batch are one write of the journal.
  const settled$ = delivered$.pipe(bufferBurst(gatherMs, flush$));

  return {
    page,
    delivery$: merge(
      accept$.pipe(mergeMap(({ items }) => journal.put(items))),
      settled$.pipe(mergeMap(({ values }) => journal.settle(values.map(({ id }) => id)))),
      delivered$,
      // Shared, because the journal is written while this is subscribed: once, however many listen.
    ).pipe(share()),
    change$: merge(backlog$, outcome$.pipe(filter((outcome) => !isDelivery(outcome)))),
    flushed$: fresh$.pipe(mergeMap(({ leave }) => (leave && isExit(leave) ? [leave] : []))),
    state: () => ({ pages: [...pages], pause }),
  };
};

type Leave = UploadTurn['leave'];

/** Whether the page exits now, in a step of its own, and has not begun to unload before. */
const isExit = (leave: PageExit | NonNullable<Leave>): leave is PageExit => Object.hasOwn(leave, 'step');

/**
 * State: whether the page unloads, until it returns. What it accepts meanwhile must leave at once, because no timer
 * outlives it.
 */
const unloading = (unload$: Observable<unknown>, { return$ }: Pick<DeliverDeps, 'return$'>): Observable<Leave> =>
  merge(unload$.pipe(map((): Leave => ({ isUnloading: true }))), return$.pipe(map(() => undefined))).pipe(
    startWith<Leave>(undefined),
  );

/** An accepted event; `waits`: it is not to be sent yet. */
type AcceptedItem = UploadItem & Pick<Accepted, 'waits'>;

/** The events of one task. One whose data came at once is accepted twice; its last form counts. */
const acceptedItems = (
  values: readonly Accepted[],
  page: string,
  { json }: Pick<DeliverDeps, 'json'>,
): readonly AcceptedItem[] =>
  distinctById(values.map(({ event, waits }) => ({ ...uploadItemOf(event, page, json), waits: waits === true })));

/**
 * Accepted events in bursts of 50 ms. A burst ends at once when the page exits, or for an event that must outlive the
 * page.
 */
const gathered = (
  accept$: Observable<{ readonly items: readonly AcceptedItem[]; readonly leave: PageExit | Leave }>,
  accepted$: Observable<Accepted>,
): Observable<Burst<UploadItem, PageExit | NonNullable<Leave>>> => {
  const exit$ = accept$.pipe(mergeMap(({ leave }) => (leave === undefined ? [] : [leave])));
  const urgent$ = accepted$.pipe(
    filter(({ beacon }) => beacon === true),
    // The events of one task go together.
    debounceTime(0),
    map(() => ({ isUnloading: false })),
  );
  return accept$.pipe(
    mergeMap(({ items }) => items.filter(({ waits }) => waits !== true)),
    bufferBurst(gatherMs, merge(exit$, urgent$)),
  );
};

/** Why an event was dropped before it was sent. */
const queueIsFull = (): Error => new Error('The events queue is full');
