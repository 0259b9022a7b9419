import { readAs } from '../codecs/codecs';
import type { Json } from '../hardening/json';
import type { EventRecord } from '../platform/platform';
import { isoText, timeOf } from '../primitives/isoDate';
import { sumOf } from '../primitives/lists';
import { bytesOf, CachedEvent, chunkChars, excess, mergedById, previousPages, withinTtl } from './cachedEvent';

/** A record as it was read, with its events. */
interface ReadRecord extends EventRecord {
  readonly events: readonly CachedEvent[];
  /** Whether some of the events had a time to come, which is now. */
  readonly isAhead: boolean;
  /** What cannot be read: key of the record, index and fault. */
  readonly faults: readonly string[];
}

/** Limits of the events cache, and the clock for the age of events. */
export interface ArrangeDeps {
  readonly json: Json;
  readonly now: () => number;
  /** Setting `eventsCacheLimitBytes`; 0 or less means no limit. */
  readonly limitBytes: number;
  /** Setting `eventsTTLInDays`; null, 0 or less means no limit. */
  readonly ttlDays: number | null;
}

/** The events that a page finds, and the writes that bring their records in order. */
interface Arrangement {
  /** All events, oldest first. */
  readonly events: readonly CachedEvent[];
  /** Bytes of each record by key, oldest first. */
  readonly sizes: readonly (readonly [key: string, bytes: number])[];
  /** Records to be replaced by one or more of these events. */
  readonly stale: readonly string[];
  /** The events that the new records hold, oldest first. */
  readonly fresh: readonly CachedEvent[];
  /** Messages about everything that could not be read. */
  readonly faults: readonly string[];
}

/**
 * Arranges the records that a page finds at its start: the events within age and size, each once, and the records that
 * have to be written anew for them.
 *
 * A record of previous pages that loses no event stays as it is, so a start usually writes only what the last page
 * left. Records that are less than half full are joined with it, which keeps the number of records small.
 */
export const arranged = (found: readonly EventRecord[], deps: ArrangeDeps): Arrangement => {
  const now = deps.now();
  const records = found.map((record) => readRecord(record, deps.json, now)).sort((a, b) => ageOf(a) - ageOf(b));
  const young = withinTtl(mergedById(...records.map(({ events }) => events)), deps.ttlDays, now);
  // The sizes of the records tell without effort whether anything can be over the limit. Only then are events measured.
  const isFull = deps.limitBytes > 0 && sumOf(records, ({ text }) => bytesOf(text)) > deps.limitBytes;
  const events = isFull
    ? young.slice(
        excess(
          young.map((event) => deps.json.stringify(event)),
          deps.limitBytes,
        ),
      )
    : young;

  const wanted = new Set(events);
  const stays = ({ key, events: its, isAhead, faults }: ReadRecord): boolean =>
    key.startsWith(previousPages) && !isAhead && faults.length === 0 && its.every((event) => wanted.has(event));
  // Records that must go: those of the last page, broken ones, and those that lose or change an event.
  const loose = records.filter((record) => !stays(record));
  const small = records.filter((record) => stays(record) && record.text.length < chunkChars / 2);
  // A single small record is left alone: writing it anew would gain nothing.
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

/** Time of a record's first event, in ms since 1970. An empty or broken record counts as the oldest. */
const ageOf = ({ events }: ReadRecord): number => timeOf(events[0]?.time ?? '') || 0;

/**
 * Reads a record. A broken event costs itself, a broken record its events. Events of a clock that was ahead are of now
 * from here on: they would stay new until their time comes.
 */
const readRecord = (record: EventRecord, json: Json, now: number): ReadRecord => {
  const list = json.parse(record.text);
  if (!Array.isArray(list))
    return { ...record, events: [], isAhead: false, faults: [`${record.key}: expected a list of events`] };
  const read = list.map((event) => readAs(CachedEvent, event));
  const events = read.filter((event): event is CachedEvent => !(event instanceof Error));
  const isAhead = ({ time }: CachedEvent): boolean => timeOf(time) > now;
  return {
    ...record,
    events: events.map((event) => (isAhead(event) ? { ...event, time: isoText(now) } : event)),
    isAhead: events.some(isAhead),
    faults: read.flatMap((event, i) => (event instanceof Error ? [`${record.key}/${i}: ${event.message}`] : [])),
  };
};
