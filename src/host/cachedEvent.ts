import * as t from 'io-ts';
import { Properties } from '../model/event';
import { IsoDate } from '../model/isoDate';

/** An event as it is kept for replay (spec C§3). */
export const CachedEvent = t.strict(
  { id: t.string, name: t.string, time: IsoDate, properties: Properties, cohorts: t.array(t.string), session_id: t.string, view_id: t.string },
  'CachedEvent',
);
export type CachedEvent = Readonly<t.TypeOf<typeof CachedEvent>>;

/** Too many, or meaningless on another page: evaluated once and never kept (spec C§4). */
const neverCached = new Set([
  'AdRequest',
  'PageviewEngagement',
  'PrebidAuctions',
  'Reaction',
  'SegmentEntry',
  'SegmentExit',
  'SlotRendered',
  'ThirdPartySegments',
  'VideoEngagement',
]);

export const isCached = (name: string): boolean => !neverCached.has(name);

const dayMs = 86_400_000;

/** Events younger than the TTL; all of them where it is no positive number (spec C§5). */
export const withinTtl = (events: readonly CachedEvent[], ttlDays: number | null, now: number): readonly CachedEvent[] =>
  ttlDays !== null && ttlDays > 0 ? events.filter(({ time }) => now - Date.parse(time) < ttlDays * dayMs) : events;

/** The size of a stored text, estimated at 2 bytes a character (spec C§5). */
export const bytesOf = (text: string): number => text.length * 2;

/**
 * Drops the oldest texts in doubling batches (1, 2, 4, …) until what is left is within the limit; 0 or less is no limit
 * (spec C§5). Answers how many to drop.
 */
export const excess = (texts: readonly string[], limitBytes: number): number => {
  if (limitBytes <= 0) return 0;
  // The list's own brackets and commas count too: it is the stored text that must fit.
  let bytes = texts.reduce((sum, text) => sum + bytesOf(text) + 2, 2);
  let dropped = 0;
  for (let batch = 1; bytes > limitBytes && dropped < texts.length; batch *= 2) {
    for (const text of texts.slice(dropped, dropped + batch)) bytes -= bytesOf(text) + 2;
    dropped = Math.min(texts.length, dropped + batch);
  }
  return dropped;
};

/** Each event once, oldest first: tabs of one browser may both have moved the same page's events over. */
export const mergedById = (...lists: readonly (readonly CachedEvent[])[]): readonly CachedEvent[] =>
  [...new Map(lists.flat().map((event) => [event.id, event])).values()].sort((a, b) => Date.parse(a.time) - Date.parse(b.time));
