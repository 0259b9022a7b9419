import { catchError, concat, defer, forkJoin, ignoreElements, map, mergeMap, type Observable, tap } from 'rxjs';

import type { Json } from '../hardening/json';
import { nameOf } from '../model/errors';
import type { EventStore } from '../platform/platform';
import { sumOf } from '../primitives/lists';
import { bytesOf, bytesOfList, chunked, dropped, previousPages } from './cachedEvent';

/**
 * A write that finds no room is tried again up to nine times. Each time, events of 1.2 times its excess are dropped
 * first (spec C§9). No store says what it lacks, so that is what the write adds to it, and at least its newest event.
 */
const maxQuotaRetries = 9;
const pruneFactor = 1.2;

/** Bytes of each record by key, oldest record first. */
type RecordSizes = ReadonlyMap<string, number>;

/** The store of the records, and the JSON that their events are written with. */
export interface CacheRecordsDeps {
  readonly store: EventStore;
  readonly json: Json;
}

/**
 * The records of the events cache in a store, and their sizes, for one page. Other tabs write to the same store, so the
 * sizes are those that this page has seen. `sizes` is kept in the order of age, so the oldest records are found without
 * a read. A record is never changed: what shrinks or joins is written anew and the old records are removed in the same
 * step.
 */
export const cacheRecords = ({ store, json }: CacheRecordsDeps) => {
  let sizes: RecordSizes = new Map();

  /** Replaces records in the store, and their sizes here. `end`: where the new records stand in the order of age. */
  const replace = (
    stale: readonly string[],
    list: string,
    texts: readonly string[],
    end: 'oldest' | 'newest',
  ): Observable<never> => {
    const chunks = chunked(texts);
    const fresh = chunks.map((chunk) => [list, chunk] as const);
    return store.replace(stale, fresh).pipe(
      tap((keys) => {
        const written = keys.map((key, i) => [key, bytesOf(chunks[i] ?? '')] as const);
        sizes = replacedSizes(sizes, stale, written, end);
      }),
      ignoreElements(),
    );
  };

  /** Drops the oldest events of these records, so many bytes at least, and writes back the events that remain. */
  const pruneAmong = (keys: readonly string[], bytes: number): Observable<never> => {
    const stale = oldestKeys(keys, sizes, bytes);
    return forkJoin(stale.map((key) => store.read(key))).pipe(
      map((records) => records.flatMap((text) => eventTextsOf(text, json))),
      mergeMap((texts) => replace(stale, previousPages, texts.slice(dropped(texts, bytes)), 'oldest')),
    );
  };

  /** Writes, and on a lack of room prunes and tries again. */
  const put = (
    stale: readonly string[],
    list: string,
    texts: readonly string[],
    retries = maxQuotaRetries,
  ): Observable<never> =>
    replace(stale, list, texts, 'newest').pipe(
      catchError((error: unknown) => {
        if (nameOf(error) !== 'QuotaError' || retries === 0) throw error as Error;
        const others = [...sizes.keys()].filter((key) => !stale.includes(key));
        return others.length > 0
          ? concat(pruneAmong(others, bytesToDrop(stale, texts, sizes)), put(stale, list, texts, retries - 1))
          : put(stale, list, withoutOldest(texts), retries - 1);
      }),
    );

  return {
    /** Takes over the records that a load has found, oldest first, with their sizes. */
    found: (records: Iterable<readonly [key: string, bytes: number]>): void => void (sizes = new Map(records)),
    /** Estimated bytes of all records, at 2 bytes a character. */
    totalBytes: (): number => sumOf(sizes.values(), (bytes) => bytes),
    /**
     * Replaces the records `stale` by these event texts, as new records of `list`. Where the store is full, the oldest
     * events of the other records are dropped, and the write is tried again; where there are no other records, the
     * oldest of these events are dropped. Errors with the last `QuotaError` after nine repetitions, and with any other
     * error at once.
     */
    put: (stale: readonly string[], list: string, texts: readonly string[]): Observable<never> =>
      put(stale, list, texts),
    /** Drops at least so many bytes of the oldest events. The rest of their records is written back. */
    prune: (bytes: number): Observable<never> => pruneAmong([...sizes.keys()], bytes),
    /** Removes all records. */
    clear: (): Observable<never> =>
      defer(() => {
        sizes = new Map();
        return store.clear();
      }).pipe(ignoreElements()),
  };
};

/** The sizes after some records were replaced by others. The new ones stand at the older or the newer end. */
const replacedSizes = (
  sizes: RecordSizes,
  stale: readonly string[],
  fresh: readonly (readonly [key: string, bytes: number])[],
  end: 'oldest' | 'newest',
): RecordSizes => {
  const others = [...sizes].filter(([key]) => !stale.includes(key));
  const result = new Map([...(end === 'oldest' ? fresh.map(([key]) => [key, 0] as const) : []), ...others]);
  // Local storage has one record for each list, so a key may be there already and grow.
  for (const [key, bytes] of fresh) result.set(key, (result.get(key) ?? 0) + bytes);
  return result;
};

/** What to drop for a write that found no room. The records that it replaces make room too. */
const bytesToDrop = (stale: readonly string[], texts: readonly string[], sizes: RecordSizes): number =>
  pruneFactor * Math.max(bytesOfList(texts) - sumOf(stale, (key) => sizes.get(key) ?? 0), bytesOf(texts.at(-1) ?? ''));

/** Keys of the oldest records, as many as together hold so many bytes. */
const oldestKeys = (keys: readonly string[], sizes: RecordSizes, bytes: number): readonly string[] => {
  let found = 0;
  return keys.filter((key) => {
    const before = found;
    found += sizes.get(key) ?? 0;
    return before < bytes;
  });
};

/** Fewer events, for a store that has no room: without the oldest, but always with the newest one. */
const withoutOldest = (texts: readonly string[]): readonly string[] => {
  const count = dropped(texts, bytesOf(texts.at(-1) ?? '') * pruneFactor);
  return texts.slice(Math.min(count, texts.length - 1));
};

/** The events of a record, each as text. A record that cannot be read has none. */
const eventTextsOf = (record: string | null, json: Json): readonly string[] => {
  const events = json.parse(record ?? '');
  return Array.isArray(events) ? events.map((event) => json.stringify(event)) : [];
};
