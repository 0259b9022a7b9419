import { isRecord } from '../codecs/codecs';
import type { Event, NumberedEvent } from '../model/event';
import { timeOf } from '../primitives/isoDate';
import { isCached } from './cachedEvent';

/**
 * How far the state contains the events of a page: the number of the last one that is cached, and of the last one that
 * is not. Then how many answers of cloud lift it contains that the page has appended, and the time of its last event in
 * ms since 1970. The two kinds of events have positions of their own, because another page may find only the cached
 * ones.
 */
type Position = readonly [cached: number, uncached: number, appended: number, ms: number];

/**
 * Which events the stored state contains. The record of the counted events is stored with the state in one write. So an
 * event counts once, whichever engine counts it and whenever: the engine of its page, the engine of the next page, or
 * one in another tab.
 */
export interface Counted {
  /** The latest pages, the page that was written last at the end. */
  readonly pages: ReadonlyMap<string, Position>;
  /** Events of all other pages are contained up to this time, in ms since 1970. */
  readonly until: number;
}

/** No event is counted. */
export const nothingCounted: Counted = { pages: new Map(), until: 0 };

/** Pages that are listed. Each takes some 70 bytes of the state. */
export const maxPages = 16;

/** The record as it is stored. */
export interface StoredCounted {
  readonly pages: Readonly<Record<string, Position>>;
  readonly until: number;
}

/**
 * Reads the stored record. Undefined where an older version has written the state, because such a state does not say
 * which events it contains.
 */
export const readCounted = (stored: unknown): Counted | undefined => {
  if (!isRecord(stored) || !isRecord(stored['pages'])) return undefined;
  const pages = Object.entries(stored['pages']).filter((entry): entry is [string, Position] => isPosition(entry[1]));
  return { pages: new Map(pages), until: Number(stored['until']) || 0 };
};

const isPosition = (input: unknown): boolean =>
  Array.isArray(input) && input.length === 4 && input.every((part) => Number.isFinite(part));

export const storedCounted = ({ pages, until }: Counted): StoredCounted => ({
  pages: Object.fromEntries(pages),
  until,
});

/** Whether the state contains an event. `own` is the page that asks: it knows that it is not among the other pages. */
export const isCounted = (
  { pages, until }: Counted,
  { page, number, name, time }: Event & Partial<NumberedEvent>,
  own?: string,
): boolean => {
  // Only older versions have cached events without a number. The state that they wrote contains them.
  if (page === undefined || number === undefined) return true;
  const position = pages.get(page);
  if (position === undefined) return page !== own && timeOf(time) <= until;
  return number <= (isCached(name) ? position[0] : position[1]);
};

/** How many of the page's answers of cloud lift the state contains. */
export const appendedBy = ({ pages }: Counted, page: string): number => pages.get(page)?.[2] ?? 0;

/**
 * What is counted once these events and answers are. The pages that were written longest ago give way; a clock that was
 * ahead must not make what is to come count as contained.
 */
export const withCounted = (
  { pages: before, until: untilBefore }: Counted,
  {
    events,
    page: own,
    appended,
  }: { readonly events: readonly NumberedEvent[]; readonly page: string; readonly appended: number },
  now: number,
): Counted => {
  const pages = new Map(before);
  const put = (page: string, change: (position: Position) => Position): void => {
    const position = change(pages.get(page) ?? [0, 0, 0, 0]);
    pages.delete(page);
    pages.set(page, position);
  };
  for (const { page, number, name, time } of events)
    put(page, ([cached, uncached, answers, ms]) => [
      isCached(name) ? Math.max(cached, number) : cached,
      isCached(name) ? uncached : Math.max(uncached, number),
      answers,
      Math.max(ms, timeOf(time)),
    ]);
  if (appended > 0) put(own, ([cached, uncached, answers, ms]) => [cached, uncached, Math.max(answers, appended), ms]);
  const listed = [...pages];
  const dropped = listed.slice(0, -maxPages);
  return {
    pages: new Map(listed.slice(-maxPages)),
    until: Math.min(now, Math.max(untilBefore, ...dropped.map(([, position]) => position[3]))),
  };
};
