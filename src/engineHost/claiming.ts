import { combineLatest, dematerialize, materialize, type Observable, of, switchMap, takeWhile } from 'rxjs';

import { aliveLock } from '../model/storageKeys';
import { timeOf } from '../primitives/isoDate';
import type { CachedEvent } from './cachedEvent';

/**
 * Without Web Locks, a page whose last event is younger counts as alive: a living page has saved its events by then.
 */
const aliveMs = 15_000;

/** The page on which an event happened; empty for events of older versions. */
export const pageOf = ({ page = '' }: CachedEvent): string => page;

/** The locks of pages, and the clock. */
export interface ClaimDeps {
  /**
   * `Platform.hold`: takes a lock while subscribed, and emits whether it was free. Null where the browser has no locks.
   */
  readonly hold: ((name: string) => Observable<boolean>) | null;
  readonly now: () => number;
}

/**
 * Claims events of pages that are gone, while the work goes on: gives the work those pages, and emits what it emits. No
 * other page gets the same ones meanwhile. A living page has its own, and saves them itself. `page` is the one that
 * asks: what an earlier visit of it has left is always its own.
 */
export const claiming = <A>(
  page: string,
  events: readonly CachedEvent[],
  { hold, now }: ClaimDeps,
  work: (gone: ReadonlySet<string>) => Observable<A>,
): Observable<A> => {
  const isYoung = ({ time }: CachedEvent): boolean => now() - timeOf(time) < aliveMs;
  const young = new Set(events.filter(isYoung).map(pageOf));
  const pages = [...new Set(events.map(pageOf))];
  const isGone = (owner: string): Observable<boolean> => {
    if (owner === page) return of(true);
    return hold === null ? of(!young.has(owner)) : hold(aliveLock(owner));
  };
  // Locks are held until their subscription ends: at the end of the work.
  return combineLatest(pages.map(isGone)).pipe(
    switchMap((gone) => work(new Set(pages.filter((_, i) => gone[i]))).pipe(materialize())),
    takeWhile(({ kind }) => kind !== 'C'),
    dematerialize(),
  );
};
