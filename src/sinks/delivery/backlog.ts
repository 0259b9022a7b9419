import {
  concat,
  defer,
  filter,
  from,
  ignoreElements,
  merge,
  mergeMap,
  type Observable,
  of,
  startWith,
  switchMap,
  takeUntil,
  tap,
  throttleTime,
} from 'rxjs';

import { aliveLock } from '../../model/aliveLock';
import type { QueuedEvent } from './appState';
import { type AppStateDeps, readAppState } from './appStateStore';
import type { PageJournal } from './pageJournal';
import { uploadItemOf } from './uploadItem';
import type { UploadItem } from './uploadQueue';

/** Locks and storage of the backlog. */
export interface BacklogDeps extends AppStateDeps {
  /** `Platform.hold`: takes a lock while subscribed, and emits whether it was free. */
  readonly hold: (name: string) => Observable<boolean>;
  /** The page came back from the back-forward cache. */
  readonly return$: Observable<unknown>;
}

/** The page that delivers, and the pages that it delivers for. */
export interface BacklogOwner {
  /** Id of this page. */
  readonly page: string;
  /** The journal of this page. */
  readonly journal: PageJournal;
  /** Called when the events of another page become this page's to deliver. */
  readonly onTakeOver: (page: string) => void;
  /** The page has something to do. */
  readonly work$: Observable<unknown>;
  /** The page unloads, or enters the back-forward cache. */
  readonly unload$: Observable<unknown>;
}

/** A page that has something to do looks for other pages again after so many ms, because a tab may have crashed. */
const searchMs = 30_000;

/**
 * Holds this page's lock while it lives, and emits the events of other pages whose lock is free, in lists: this page
 * delivers them from then on. It looks for such pages at its start, when it returns from the back-forward cache, and
 * every 30 s while it has something to do. An event that is both in the journal and in the stored state is emitted
 * once. Emits an empty list first.
 *
 * Other versions of the SDK keep waiting events in the stored state. These are written to the journal as they are taken
 * over.
 */
export const backlog = (
  { page, journal, onTakeOver, work$, unload$ }: BacklogOwner,
  deps: BacklogDeps,
): Observable<readonly UploadItem[]> => {
  const takeOver = (owner: string): Observable<readonly UploadItem[]> =>
    // The lock of the other page is held as well, so that no third page takes the same events.
    deps.hold(lockOf(owner)).pipe(
      filter((isFree) => isFree),
      tap(() => onTakeOver(owner)),
      mergeMap(() => itemsLeftBy(owner, journal, deps)),
    );
  const leftBehind$ = concat(
    journal.pages(),
    defer(() => of(readAppState(deps).queue.map((stored) => stored.page))),
  ).pipe(
    mergeMap((owners) => from(new Set(owners))),
    filter((owner) => owner !== page),
    mergeMap(takeOver),
  );
  return deps.return$.pipe(
    startWith(undefined),
    switchMap(() =>
      merge(
        of([]),
        ...[lockOf(page), aliveLock(page)].map((name) => deps.hold(name).pipe(ignoreElements())),
        work$.pipe(
          startWith(undefined),
          throttleTime(searchMs),
          mergeMap(() => leftBehind$),
        ),
      ).pipe(
        // The locks are released even when the page only enters the back-forward cache, because it may never return
        // from there.
        takeUntil(unload$),
      ),
    ),
  );
};

/** Events that a page has left: first the records of its journal, then those that only the stored state has. */
const itemsLeftBy = (owner: string, journal: PageJournal, deps: BacklogDeps): Observable<readonly UploadItem[]> =>
  defer(() => {
    const journaled = new Set<string>();
    return concat(
      journal.takeOver(owner).pipe(tap((items) => items.forEach(({ id }) => journaled.add(id)))),
      defer(() => {
        const stored = storedBy(owner, deps)
          .filter(({ id }) => !journaled.has(id))
          .map((event) => uploadItemOf(event, owner, deps.json));
        return merge(of(stored), journal.put(stored));
      }),
    );
  });

/** Events of a page in the stored state. */
const storedBy = (owner: string, deps: BacklogDeps): readonly QueuedEvent[] =>
  readAppState(deps)
    .queue.filter(({ page }) => page === owner)
    .map(({ event }) => event);

/** Name of a page's lock. */
const lockOf = (page: string): string => `permutive-page-${page}`;
