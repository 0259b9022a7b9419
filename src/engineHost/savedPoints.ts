import { combineLatest, dematerialize, materialize, type Observable, of, switchMap, takeWhile } from 'rxjs';

import { aliveLock } from '../model/aliveLock';
import { isRecord } from '../model/codecs';
import type { CachedEvent } from './cachedEvent';

/** The last event of a page whose effects are in the stored state: its time in ms since 1970, and its id. */
export type SavedPoint = readonly [ms: number, eventId: string];

/**
 * How far the stored state contains the cached events: the saved point of each of the latest pages. Under `others`, the
 * time up to which it contains the events of all other pages. Each tab writes its own point, so tabs do not undo each
 * other's.
 */
export type SavedPoints = ReadonlyMap<string, SavedPoint>;

const others = '';
/** Pages whose points are kept. More tabs are seldom used at the same time. */
const maxPages = 5;
/**
 * Without Web Locks, a page whose last event is younger counts as alive: a living page has saved its events by then.
 */
const aliveMs = 15_000;

/** Reads stored points. Undefined where an older version has written the state, which names none. */
export const readPoints = (stored: unknown): SavedPoints | undefined =>
  isRecord(stored)
    ? new Map(Object.entries(stored).filter((entry): entry is [string, SavedPoint] => isPoint(entry[1])))
    : undefined;

const isPoint = (input: unknown): boolean =>
  Array.isArray(input) && Number.isFinite(input[0]) && typeof input[1] === 'string';

/** The stored points with those of this tab. What is no longer listed counts as contained up to its point. */
export const mergedPoints = (stored: SavedPoints | undefined, own: SavedPoints, now: number): SavedPoints => {
  const pages = [...(stored ?? [[others, [now, '']] as const]), ...own].filter(([page]) => page !== others);
  const newest = [...new Map(pages)].sort(([, a], [, b]) => b[0] - a[0]);
  const until = [
    stored === undefined ? now : pointOf(stored, others)[0],
    ...newest.slice(maxPages).map(([, [ms]]) => ms),
  ];
  // A clock that was ahead must not make what is to come count as contained.
  return new Map([[others, [Math.min(now, Math.max(...until)), '']], ...newest.slice(0, maxPages)]);
};

const pointOf = (points: SavedPoints, page: string): SavedPoint => points.get(page) ?? points.get(others) ?? [0, ''];

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
  const isYoung = ({ time }: CachedEvent): boolean => now() - Date.parse(time) < aliveMs;
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

/** The page that has cached an event. */
export const pageOf = ({ page = others }: CachedEvent): string => page;

/**
 * The cached events whose effects are not in the stored state: their page is alive, or has crashed before it could save
 * them. None where an older version has written the state.
 */
export const eventsAfter = (
  points: SavedPoints | undefined,
  events: readonly CachedEvent[],
): readonly CachedEvent[] => {
  if (points === undefined) return [];
  const indexes = new Map(events.map(({ id }, i) => [id, i]));
  return events.filter((event, i) => {
    const [ms, id] = pointOf(points, pageOf(event));
    const saved = indexes.get(id);
    // The saved event itself may be gone from the cache.
    return saved === undefined ? Date.parse(event.time) > ms : i > saved;
  });
};
