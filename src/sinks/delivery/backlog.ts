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
} from 'rxjs';

import type { QueuedEvent } from './appState';
import { type AppStateDeps, readAppState } from './appStateStore';
import type { PageJournal } from './pageJournal';
import { type UploadItemDeps, uploadItemOf } from './uploadItem';
import type { UploadItem } from './uploadQueue';

export interface BacklogDeps extends AppStateDeps, UploadItemDeps {
  readonly hold: (name: string) => Observable<boolean>;
  /** The page came back from the back-forward cache. */
  readonly return$: Observable<unknown>;
}

/** The page that delivers, and the pages that it delivers for. */
export interface BacklogOwner {
  readonly page: string;
  readonly journal: PageJournal;
  /** Called when the events of another page become this page's to deliver. */
  readonly onTakeOver: (page: string) => void;
  readonly unload$: Observable<unknown>;
}

/**
 * Holds this page's lock while it lives, and emits the events of pages whose lock is free, which this page now
 * delivers. It looks for such pages at its start and when it returns from the back-forward cache. An event that is both
 * in the journal and in local storage is emitted once.
 */
export const backlog = (
  { page, journal, onTakeOver, unload$ }: BacklogOwner,
  deps: BacklogDeps,
): Observable<readonly UploadItem[]> => {
  const takeOver = (owner: string): Observable<readonly UploadItem[]> =>
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
      merge(of([]), deps.hold(lockOf(page)).pipe(ignoreElements()), leftBehind$).pipe(
        // The lock is released even when the page only enters the back-forward cache: it may never return from there.
        takeUntil(unload$),
      ),
    ),
  );
};

/** What a page has left: first the records of its journal, then what only local storage has. */
const itemsLeftBy = (owner: string, journal: PageJournal, deps: BacklogDeps): Observable<readonly UploadItem[]> =>
  defer(() => {
    const journaled = new Set<string>();
    return concat(
      journal.takeOver(owner).pipe(tap((items) => items.forEach(({ id }) => journaled.add(id)))),
      defer(() =>
        of(
          storedBy(owner, deps)
            .filter(({ id }) => !journaled.has(id))
            .map((event) => uploadItemOf(event, owner, deps)),
        ),
      ),
    );
  });

const storedBy = (owner: string, deps: BacklogDeps): readonly QueuedEvent[] =>
  readAppState(deps)
    .queue.filter(({ page }) => page === owner)
    .map(({ event }) => event);

const lockOf = (page: string): string => `permutive-page-${page}`;
