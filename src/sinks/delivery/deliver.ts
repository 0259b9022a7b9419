import {
  concat,
  connect,
  debounce,
  defer,
  filter,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  share,
  startWith,
  switchMap,
  takeUntil,
  tap,
  timer,
} from 'rxjs';

import type { PageExit } from '../../model/pageSignal';
import { bufferBurst } from '../../operators/bufferBurst';
import type { Journal } from '../../platform/platform';
import type { QueuedEvent, StoredEvent, UploadState } from './appState';
import { type AppStateDeps, readAppState } from './appStateStore';
import { type Delivery, isDelivery, lost, type Outcome } from './outcome';
import { pageJournal } from './pageJournal';
import type { Pause } from './pause';
import { upload, type UploadDeps } from './upload';
import { queuedEventOf, uploadItemOf } from './uploadItem';
import { type UploadItem, uploadQueue } from './uploadQueue';

/** Events of one burst travel together, and are told of together: a page view and what it led to (spec C§4, task queue). */
const gatherMs = 50;
/** At most so much of local storage, in characters of two bytes: the newest events, for there the newest are nowhere else yet. */
const maxStoredCharacters = 500_000;

export interface DeliverDeps extends UploadDeps, AppStateDeps {
  readonly journal: Journal;
  readonly hold: (name: string) => Observable<boolean>;
  readonly newId: () => string;
  /** The page came back from the back-forward cache. */
  readonly return$: Observable<unknown>;
}

export interface Accepted {
  readonly event: QueuedEvent;
  /** Sent at once, so that it outlives the page. */
  readonly beacon?: boolean;
}

export interface Delivering {
  readonly delivery$: Observable<Delivery>;
  /** Something has changed of what local storage is to hold. Hot: heard while `delivery$` is. */
  readonly change$: Observable<unknown>;
  /** The page leaves, and what was accepted until then is in `state`. Hot. */
  readonly flushed$: Observable<PageExit>;
  readonly state: () => UploadState;
}

/**
 * Brings what this page accepts to the server, and what pages before it could not. An event is written to the journal when it
 * is first sent, and leaves journal and local storage when the server has answered for it.
 *
 * Each page sends its own events, and holds a lock of its id while it lives. A page that starts, or comes back, takes over the
 * events of those whose lock is free, and their lock with them, so that exactly one page does. Events of a request that was
 * under way when its page left are among them, for nobody is left to hear its answer: the next page repeats them, same ids.
 */
export const deliver = (
  accepted$: Observable<Accepted>,
  flush$: Observable<PageExit>,
  deps: DeliverDeps,
): Delivering => {
  const page = deps.newId();
  const encoder = new TextEncoder();
  const textDeps = { ...deps, bytesOf: (text: string) => encoder.encode(text).length };
  const silent = { ...deps, report: () => undefined };
  const queue = uploadQueue();
  const journal = pageJournal(page, textDeps);
  const pages = new Set([page]);
  let { pause }: { pause: Pause | null } = readAppState(silent);

  const takeOver = (owner: string): Observable<readonly UploadItem[]> =>
    deps.hold(lockOf(owner)).pipe(
      filter((isFree) => isFree),
      tap(() => pages.add(owner)),
      mergeMap(() => {
        const seen = new Set<string>();
        return concat(
          journal.takeOver(owner).pipe(tap((items) => items.forEach(({ id }) => seen.add(id)))),
          defer(() =>
            of(
              storedBy(owner, readAppState(silent).queue)
                .filter(({ id }) => !seen.has(id))
                .map((event) => uploadItemOf(event, owner, textDeps)),
            ),
          ),
        );
      }),
    );
  const leftBehind$ = concat(
    journal.pages(),
    defer(() => of(readAppState(silent).queue.map((stored) => stored.page))),
  ).pipe(
    mergeMap((owners) => from(new Set(owners))),
    filter((owner) => owner !== page),
    mergeMap(takeOver),
  );
  const unload$ = flush$.pipe(filter(({ isUnloading }) => isUnloading));
  const backlog$ = deps.return$.pipe(
    startWith(undefined),
    // Released when the page goes: it may be kept for the back-forward cache, or be isUnloading for good.
    switchMap(() =>
      merge(of([]), deps.hold(lockOf(page)).pipe(ignoreElements()), leftBehind$).pipe(takeUntil(unload$)),
    ),
  );

  const add = (items: readonly UploadItem[]): readonly UploadItem[] => items.flatMap((item) => queue.add(item));
  const urgent$ = accepted$.pipe(
    filter(({ beacon }) => beacon === true),
    debounce(() => timer(0)),
    map(() => ({ isUnloading: false })),
  );
  const fresh$ = accepted$.pipe(
    bufferBurst(gatherMs, merge(flush$, urgent$)),
    map(({ values, flushed: leave }) => {
      const items = values.map(({ event }) => uploadItemOf(event, page, textDeps));
      return { leave, items, full: add(items) };
    }),
    share(),
  );
  const turn$ = merge(fresh$, backlog$.pipe(map((items) => ({ leave: undefined, full: add(items) }))));
  const outcome$ = turn$.pipe(
    connect((each$) =>
      merge(
        each$.pipe(
          mergeMap(({ full }) =>
            full.map((item): Outcome => lost(item, new Error('The events queue is full'), deps.report)),
          ),
        ),
        upload(each$, queue, pause, deps),
      ),
    ),
    tap((outcome) => {
      if (!isDelivery(outcome)) ({ pause } = outcome);
    }),
    share(),
  );
  const delivered$ = outcome$.pipe(filter(isDelivery));

  return {
    delivery$: merge(
      fresh$.pipe(mergeMap(({ items }) => journal.put(items))),
      delivered$.pipe(
        bufferBurst(gatherMs, flush$),
        mergeMap(({ values }) => journal.settle(values.map(({ id }) => id))),
      ),
      delivered$,
    ),
    change$: merge(accepted$, outcome$),
    flushed$: fresh$.pipe(mergeMap(({ leave }) => (leave && 'step' in leave ? [leave] : []))),
    state: () => ({
      pages: [...pages],
      pause,
      queue: newest(queue.all()).map((item) => ({ page: item.page, event: queuedEventOf(item, deps) })),
    }),
  };
};

const lockOf = (page: string): string => `permutive-page-${page}`;
const storedBy = (owner: string, queue: readonly StoredEvent[]): readonly QueuedEvent[] =>
  queue.filter(({ page }) => page === owner).map(({ event }) => event);

/** The newest that find room in local storage. */
const newest = (items: readonly UploadItem[]): readonly UploadItem[] => {
  let room = maxStoredCharacters;
  return [...items]
    .reverse()
    .filter(({ text }) => (room -= text.length) >= 0)
    .reverse();
};
