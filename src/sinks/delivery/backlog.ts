import { concat, defer, filter, from, merge, mergeMap, type Observable, of, startWith, tap, throttleTime } from 'rxjs';

import type { Journal } from '../../platform/platform';
import type { QueuedEvent } from './appState';
import { type AppStateDeps, readAppState } from './appStateStore';
import { type HoldPageDeps, pageLock } from './holdPage';
import type { PageJournal } from './pageJournal';
import { type RecordsLeft, recordsLeft } from './recordsLeft';
import { uploadItemOf } from './uploadItem';
import type { UploadItem } from './uploadQueue';

/** Locks and storage of the backlog. */
export interface BacklogDeps extends AppStateDeps, Pick<HoldPageDeps, 'hold'> {
  readonly journal: Journal;
}

/** The page that delivers, and the pages that it delivers for. */
export interface BacklogOwner {
  /** Id of this page. */
  readonly page: string;
  /** The journal of this page. */
  readonly own: PageJournal;
  /** Called when the events of another page become this page's to deliver. */
  readonly onTakeOver: (page: string) => void;
  /** The page has something to do. */
  readonly work$: Observable<unknown>;
}

/** A page that has something to do looks for other pages again after so many ms, because a tab may have crashed. */
const searchMs = 30_000;

/**
 * Emits the events of other pages whose lock is free, in lists: this page delivers them from then on. It looks for such
 * pages at its start, and every 30 s while it has something to do. An event that is both in the journal and in the
 * stored state is emitted once.
 *
 * Other versions of the SDK keep waiting events in the stored state. These are written to the journal as they are taken
 * over.
 */
export const backlog = (
  { page, own, onTakeOver, work$ }: BacklogOwner,
  deps: BacklogDeps,
): Observable<readonly UploadItem[]> => {
  const left = recordsLeft(own, deps);
  // Silent, because the visit reads the same stored state and reports its faults.
  const stateDeps = { ...deps, report: () => undefined };
  const takeOver = (owner: string): Observable<readonly UploadItem[]> =>
    // The lock of the other page is held as well, so that no third page takes the same events.
    deps.hold(pageLock(owner)).pipe(
      filter((isFree) => isFree),
      tap(() => onTakeOver(owner)),
      mergeMap(() => itemsLeftBy(owner, left, own, stateDeps)),
    );
  const leftBehind$ = concat(
    left.pages(),
    defer(() => of(readAppState(stateDeps).queue.map((stored) => stored.page))),
  ).pipe(
    mergeMap((owners) => from(new Set(owners))),
    filter((owner) => owner !== page),
    mergeMap(takeOver),
  );
  return work$.pipe(
    startWith(undefined),
    throttleTime(searchMs),
    mergeMap(() => leftBehind$),
  );
};

/** Events that a page has left: first the records of its journal, then those that only the stored state has. */
const itemsLeftBy = (
  owner: string,
  left: RecordsLeft,
  own: PageJournal,
  deps: AppStateDeps,
): Observable<readonly UploadItem[]> =>
  defer(() => {
    const journaled = new Set<string>();
    return concat(
      left.takeOver(owner).pipe(tap((items) => items.forEach(({ id }) => journaled.add(id)))),
      defer(() => {
        const stored = storedBy(owner, deps)
          .filter(({ id }) => !journaled.has(id))
          .map((event) => uploadItemOf(event, owner, deps.json));
        return merge(of(stored), own.put(stored));
      }),
    );
  });

/** Events of a page in the stored state. */
const storedBy = (owner: string, deps: AppStateDeps): readonly QueuedEvent[] =>
  readAppState(deps)
    .queue.filter(({ page }) => page === owner)
    .map(({ event }) => event);
