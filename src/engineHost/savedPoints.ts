import { isRecord } from '../model/codecs';
import type { CachedEvent } from './cachedEvent';

/**
 * The last event of a page whose effects are in the stored state: its time in ms since 1970, and its id. For writes:
 * the revision of the last write of a page, and no id.
 */
export type SavedPoint = readonly [ms: number, eventId: string];

/**
 * How far the stored state contains the cached events: the saved point of each of the latest pages. Under `others`, the
 * time up to which it contains the events of all other pages. Each tab writes its own point, so tabs do not undo each
 * other's.
 */
export type SavedPoints = ReadonlyMap<string, SavedPoint>;

const others = '';
/** Pages whose points are kept. Each takes some 100 bytes of the state. */
export const maxPages = 16;

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

/** The point of a page; that of all others where it is not listed. */
export const pointOf = (points: SavedPoints, page: string): SavedPoint =>
  points.get(page) ?? points.get(others) ?? [0, ''];

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
