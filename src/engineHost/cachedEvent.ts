import { type Codec, isRecord, list, shape, value } from '../codecs/codecs';
import type { EngineEvent } from '../engine/engineEvent';
import { open, Text } from '../engine/language/storedCodecs';
import type { Event, KeptEvent } from '../model/event';
import { storeKeys } from '../model/storageKeys';
import { distinctById } from '../primitives/distinctById';
import { dayMs } from '../primitives/duration';
import { timeOf } from '../primitives/isoDate';
import { sumOf } from '../primitives/lists';

/**
 * Names of the two lists of events (spec C§3). In local storage they are keys; in the encrypted store the key of each
 * record begins with one of them.
 */
export const { previousPages, thisPage } = storeKeys;

/** An event as it is kept for replay (spec C§3). */
export interface CachedEvent extends KeptEvent {
  /** The cohorts of the visitor after the event. */
  readonly cohorts: readonly string[];
}

/** A stored event. */
export const CachedEvent: Codec<CachedEvent> = open(
  'an event',
  shape(
    {
      id: Text,
      name: Text,
      time: value<string>('an ISO date', (input) => typeof input === 'string' && !Number.isNaN(timeOf(input))),
      properties: value('an object', isRecord),
      cohorts: list(Text, 0, Infinity),
      session_id: Text,
      view_id: Text,
    },
    { page: Text, number: value<number>('a number', Number.isFinite) },
  ),
);

/**
 * Events that are too many, or that mean nothing on another page. Such events are evaluated once and never kept (spec
 * C§4).
 */
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

/** Whether events of this name are kept for replay. */
export const isCached = (name: string): boolean => !neverCached.has(name);

/** Events that are younger than the TTL; all of them where the TTL is not a positive number (spec C§5). */
export const withinTtl = (
  events: readonly CachedEvent[],
  ttlDays: number | null,
  now: number,
): readonly CachedEvent[] =>
  ttlDays !== null && ttlDays > 0 ? events.filter(({ time }) => now - timeOf(time) < ttlDays * dayMs) : events;

/** The size of a stored text, estimated at 2 bytes a character (spec C§5). */
export const bytesOf = (text: string): number => text.length * 2;

/** The size of a stored list of texts: its own brackets and commas count too. */
export const bytesOfList = (texts: readonly string[]): number => 2 + sumOf(texts, (text) => bytesOf(text) + 2);

/**
 * How many of the oldest texts to drop, in doubling batches (1, 2, 4, …), so that at least so many bytes, or all texts,
 * are gone (spec C§5).
 */
export const dropped = (texts: readonly string[], bytes: number): number => {
  let count = 0;
  let left = bytes;
  for (let batch = 1; left > 0 && count < texts.length; batch *= 2) {
    for (const text of texts.slice(count, count + batch)) left -= bytesOf(text) + 2;
    count = Math.min(texts.length, count + batch);
  }
  return count;
};

/** How many of the oldest texts to drop so that the rest is within the limit; 0 or less is no limit (spec C§5). */
export const excess = (texts: readonly string[], limitBytes: number): number =>
  limitBytes > 0 ? dropped(texts, bytesOfList(texts) - limitBytes) : 0;

/**
 * Joins event texts, in order, to JSON lists of at most about `chunkChars` characters. Each list becomes one record,
 * which is encrypted as a whole: an added event writes one list, and a broken record loses one.
 */
export const chunked = (texts: readonly string[]): readonly string[] => {
  const chunks: string[][] = [];
  let room = 0;
  for (const text of texts) {
    room -= text.length + 1;
    if (room < 0) {
      chunks.push([]);
      room = chunkChars - text.length;
    }
    chunks.at(-1)?.push(text);
  }
  return chunks.map((chunk) => `[${chunk.join(',')}]`);
};
/** Characters of a full chunk. An event that is longer makes a chunk of its own. */
export const chunkChars = 16_000;

/**
 * All events of these lists, each id once, oldest first. Tabs of one browser may both have moved the events of the same
 * page. The events that a page has made within one millisecond are in the order in which it made them.
 */
export const mergedById = <E extends KeptEvent>(...lists: readonly (readonly E[])[]): readonly E[] =>
  [...distinctById(lists.flat())].sort((a, b) => timeOf(a.time) - timeOf(b.time) || (a.number ?? 0) - (b.number ?? 0));

/** An event in the engine's form: its time is a number, and it has no id. */
export const engineEvent = ({ name, time, properties, session_id, view_id }: Omit<Event, 'id'>): EngineEvent => ({
  name,
  time: timeOf(time),
  properties,
  session_id,
  view_id,
});
