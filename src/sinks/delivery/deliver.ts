import { connect, debounce, filter, map, merge, mergeMap, type Observable, share, tap, timer } from 'rxjs';

import type { PageExit } from '../../model/pageSignal';
import { bufferBurst, type Burst } from '../../operators/bufferBurst';
import type { Journal } from '../../platform/platform';
import type { QueuedEvent, UploadState } from './appState';
import { type AppStateDeps, readAppState } from './appStateStore';
import { queueEntries } from './appStateText';
import { backlog, type BacklogDeps } from './backlog';
import { type Delivery, isDelivery, lost, type Outcome } from './outcome';
import { pageJournal } from './pageJournal';
import type { Pause } from './pause';
import { upload, type UploadDeps } from './upload';
import { uploadItemOf } from './uploadItem';
import { type UploadItem, uploadQueue } from './uploadQueue';

/** Events of so many ms travel in one request: a page view and what it led to (spec C§4, task queue). */
const gatherMs = 50;
/**
 * The waiting events that local storage mirrors, in characters of two bytes. The newest, because the journal may not
 * have those yet.
 */
const maxStoredCharacters = 500_000;

export interface DeliverDeps extends UploadDeps, AppStateDeps, Omit<BacklogDeps, 'bytesOf'> {
  readonly journal: Journal;
  readonly newId: () => string;
}

export interface Accepted {
  readonly event: QueuedEvent;
  /** It is sent at once, because the page may be about to unload. */
  readonly beacon?: boolean;
}

export interface Delivering {
  readonly delivery$: Observable<Delivery>;
  /**
   * There is something to write: an event was accepted, which is in `state` within 50 ms, or something became of one.
   * Hot: emits only while `delivery$` is subscribed.
   */
  readonly change$: Observable<unknown>;
  /** Events that were accepted are in `state` now. Hot, as `change$` is. */
  readonly queued$: Observable<unknown>;
  /** The page exits, and everything that was accepted until then is in `state`. Hot. */
  readonly flushed$: Observable<PageExit>;
  /** What local storage is to hold of the delivery, as it is now. */
  readonly state: () => UploadState;
}

/**
 * Brings what this page accepts to the server, and what pages before it could not. An event is written to the journal
 * when it is first sent, and leaves journal and local storage when the server has answered for it.
 *
 * Each page sends its own events, and holds a lock of its id while it lives. A page that starts, or comes back, takes
 * over the events of pages whose lock is free, together with their lock, so that exactly one page sends an event.
 * Responses to requests that are under way at unload are lost, so the next page repeats those events with the same ids;
 * the server drops duplicates.
 */
export const deliver = (
  accepted$: Observable<Accepted>,
  flush$: Observable<PageExit>,
  deps: DeliverDeps,
): Delivering => {
  const page = deps.newId();
  const pages = new Set([page]);
  const queue = uploadQueue();
  const entryOf = queueEntries(deps.json);
  const encoder = new TextEncoder();
  const itemDeps = { ...deps, bytesOf: (text: string) => encoder.encode(text).length };
  const journal = pageJournal(page, itemDeps);
  // The visit reads the same state and reports what is wrong with it.
  const silent = { ...itemDeps, report: () => undefined };
  let { pause }: { pause: Pause | null } = readAppState(silent);

  const unload$ = flush$.pipe(filter(({ isUnloading }) => isUnloading));
  const backlog$ = backlog({ page, journal, onTakeOver: (owner) => void pages.add(owner), unload$ }, silent);
  const add = (items: readonly UploadItem[]): readonly UploadItem[] => items.flatMap((item) => queue.add(item));
  const fresh$ = gathered(accepted$, flush$).pipe(
    map(({ values, flushed: leave }) => {
      const items = values.map(({ event }) => uploadItemOf(event, page, itemDeps));
      return { leave, items, dropped: add(items) };
    }),
    share(),
  );
  const turn$ = merge(fresh$, backlog$.pipe(map((items) => ({ leave: undefined, dropped: add(items) }))));
  const outcome$ = turn$.pipe(
    connect((each$) =>
      merge(
        each$.pipe(mergeMap(({ dropped }) => dropped.map((item): Outcome => lost(item, queueIsFull(), deps.report)))),
        upload(each$, queue, pause, deps),
      ),
    ),
    tap((outcome) => {
      if (!isDelivery(outcome)) ({ pause } = outcome);
    }),
    share(),
  );
  const delivered$ = outcome$.pipe(filter(isDelivery));
  const queued$ = fresh$.pipe(filter(({ items }) => items.length > 0));
  const settled$ = delivered$.pipe(bufferBurst(gatherMs, flush$));

  return {
    delivery$: merge(
      fresh$.pipe(mergeMap(({ items }) => journal.put(items))),
      settled$.pipe(mergeMap(({ values }) => journal.settle(values.map(({ id }) => id)))),
      delivered$,
    ),
    change$: merge(accepted$, outcome$),
    queued$,
    flushed$: fresh$.pipe(mergeMap(({ leave }) => (leave && 'step' in leave ? [leave] : []))),
    state: () => ({ pages: [...pages], pause, queue: newest(queue.all()).map(entryOf) }),
  };
};

/** Accepted events in bursts. A burst ends at once when the page exits, or for an event that must outlive the page. */
const gathered = (
  accepted$: Observable<Accepted>,
  flush$: Observable<PageExit>,
): Observable<Burst<Accepted, PageExit | { readonly isUnloading: boolean }>> => {
  const urgent$ = accepted$.pipe(
    filter(({ beacon }) => beacon === true),
    // The events of one task go together.
    debounce(() => timer(0)),
    map(() => ({ isUnloading: false })),
  );
  return accepted$.pipe(bufferBurst(gatherMs, merge(flush$, urgent$)));
};

const queueIsFull = (): Error => new Error('The events queue is full');

/** The newest that find room in local storage. */
const newest = (items: readonly UploadItem[]): readonly UploadItem[] => {
  let room = maxStoredCharacters;
  return [...items]
    .reverse()
    .filter(({ text }) => (room -= text.length) >= 0)
    .reverse();
};
