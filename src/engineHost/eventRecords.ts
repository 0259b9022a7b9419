import { isRight } from 'fp-ts/Either';

import { decode } from '../model/decode';
import type { Json } from '../model/json';
import type { EventRecord } from '../platform/platform';
import { bytesOf, CachedEvent, chunkChars, excess, mergedById, previousPages, withinTtl } from './cachedEvent';

/** A record with its events. */
interface ReadRecord extends EventRecord {
  readonly events: readonly CachedEvent[];
  /** Paths of what cannot be read. */
  readonly faults: readonly string[];
}

export interface ArrangeDeps {
  readonly json: Json;
  readonly now: () => number;
  readonly limitBytes: number;
  readonly ttlDays: number | null;
}

/** What to do with the records that a page finds. */
interface Arrangement {
  /** All events, oldest first. */
  readonly events: readonly CachedEvent[];
  /** Bytes of each record by key, oldest first. */
  readonly sizes: readonly (readonly [key: string, bytes: number])[];
  /** Records to be replaced by one or more of these events. */
  readonly stale: readonly string[];
  readonly fresh: readonly CachedEvent[];
  readonly faults: readonly string[];
}

/**
 * Events within age and size, each once; and how to store them so, rewriting no record of previous pages that may stay
 * as it is. What the last page left is moved together, with the small records before it.
 */
export const arranged = (found: readonly EventRecord[], deps: ArrangeDeps): Arrangement => {
  const records = found.map((record) => readRecord(record, deps.json)).sort((a, b) => ageOf(a) - ageOf(b));
  const young = withinTtl(mergedById(...records.map(({ events }) => events)), deps.ttlDays, deps.now());
  const isFull = deps.limitBytes > 0 && records.reduce((sum, { text }) => sum + bytesOf(text), 0) > deps.limitBytes;
  const events = isFull
    ? young.slice(
        excess(
          young.map((event) => deps.json.stringify(event)),
          deps.limitBytes,
        ),
      )
    : young;

  const wanted = new Set(events);
  const stays = ({ key, events: its, faults }: ReadRecord): boolean =>
    key.startsWith(previousPages) && faults.length === 0 && its.every((event) => wanted.has(event));
  const loose = records.filter((record) => !stays(record));
  const small = records.filter((record) => stays(record) && record.text.length < chunkChars / 2);
  const stale = new Set(loose.length > 0 || small.length > 1 ? [...loose, ...small] : []);
  const moved = new Set([...stale].flatMap((record) => record.events));
  return {
    events,
    sizes: records.map(({ key, text }) => [key, bytesOf(text)]),
    stale: [...stale].map(({ key }) => key),
    fresh: events.filter((event) => moved.has(event)),
    faults: records.flatMap(({ faults }) => faults),
  };
};

const ageOf = ({ events }: ReadRecord): number => Date.parse(events[0]?.time ?? '') || 0;

/** A broken event costs itself, a broken record its events. */
const readRecord = (record: EventRecord, json: Json): ReadRecord => {
  const list = json.parse(record.text);
  if (!Array.isArray(list)) return { ...record, events: [], faults: [`${record.key}: expected a list of events`] };
  const decoded = list.map(decode(CachedEvent));
  return {
    ...record,
    events: decoded.flatMap((event) => (isRight(event) ? [event.right] : [])),
    faults: decoded.flatMap((event, i) => (isRight(event) ? [] : [`${record.key}/${i}: ${event.left.message}`])),
  };
};
