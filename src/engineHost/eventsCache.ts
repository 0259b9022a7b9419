import { catchError, concat, defer, EMPTY, endWith, map, mergeMap, type Observable, of, tap } from 'rxjs';

import type { Report } from '../model/report';
import { isolate } from '../operators/isolate';
import { bytesOfList, type CachedEvent, excess, previousPages, thisPage } from './cachedEvent';
import { cacheRecords, type CacheRecordsDeps } from './cacheRecords';
import { arranged, type ArrangeDeps } from './eventRecords';

/** A full cache is pruned by this share more than it needs, so that the next events find room without pruning. */
const slack = 0.02;
/** The events that wait are measured once for so many of them. */
const measureEvery = 100;
/** Faults of stored events that one report names. */
const maxCacheFaults = 5;

/** Store, limits and error reports of the cache. */
export interface EventsCacheDeps extends ArrangeDeps, CacheRecordsDeps {
  readonly report: Report;
  /** Id of the page that adds events. The id is kept with each event, to tell the events of a page that has crashed. */
  readonly page: string;
}

/** Makes the cache of one page. Added events wait in memory as texts until a save; one save runs at a time. */
export const eventsCache = (deps: EventsCacheDeps) => {
  const { store, json, report, limitBytes, page } = deps;
  const records = cacheRecords(deps);
  const waiting = waitingTexts(limitBytes);
  /**
   * Ids of the loaded events. The engine evaluates again what the last page left unconfirmed, and such an event may be
   * in the store already.
   */
  let loadedIds: ReadonlySet<string> = new Set();

  const reset = (): Observable<never> =>
    defer(() => {
      waiting.clear();
      loadedIds = new Set();
      return records.clear();
    }).pipe(isolate(`Events cache failed to put ${previousPages}.`, report));

  /**
   * Writes the events to the list of previous pages and removes their old records, in one transaction: a crash loses
   * none.
   */
  const migrate = (stale: readonly string[], events: readonly CachedEvent[]): Observable<never> => {
    if (stale.length === 0) return EMPTY;
    const texts = events.map((event) => json.stringify(event));
    return records.put(stale, previousPages, texts).pipe(isolate('Migrate previous events failed.', report));
  };

  const load = (): Observable<readonly CachedEvent[]> =>
    store.records().pipe(
      map((found) => arranged(found, deps)),
      tap(({ events, sizes, faults }) => {
        if (faults.length > 0) report(readError, new Error(faults.slice(0, maxCacheFaults).join('; ')));
        records.found(sizes);
        loadedIds = new Set(events.map(({ id }) => id));
      }),
      mergeMap(({ events, stale, fresh }) => migrate(stale, fresh).pipe(endWith(events))),
      catchError((cause: unknown) => {
        report(readError, cause);
        return reset().pipe(endWith([]));
      }),
    );

  const save = (): Observable<unknown> =>
    defer(() => {
      const texts = waiting.limited();
      if (texts.length === 0) return EMPTY;
      const bytes = records.totalBytes() + bytesOfList(texts);
      const isOver = limitBytes > 0 && bytes > limitBytes;
      return concat(
        isOver ? records.prune(bytes - limitBytes * (1 - slack)) : EMPTY,
        records.put([], thisPage, texts),
      ).pipe(
        // Only what was written leaves, not what came during the write.
        tap({ complete: () => waiting.remove(texts) }),
        catchError((cause: unknown) => of(cause)),
      );
    });

  return {
    /**
     * Reads all cached events within age and size, and moves the last page's events to the list of previous pages.
     * Emits the events once, oldest first. Never errors: a store that cannot be read is reported and reset.
     */
    load,
    /** Adds to this page's events, in memory. */
    add: (event: CachedEvent): void => {
      if (!loadedIds.has(event.id)) waiting.add(json.stringify({ page, ...event }));
    },
    /**
     * Appends what was added since the last save to the store. Completes without a value where that worked. Otherwise
     * it emits the cause, and the events are part of the next save.
     */
    save,
    /**
     * Forgets all events. The reset that keeps this page's events (spec C§4) is another engine, which is given these
     * events (docs/decisions/054-user-of-all-tabs.md).
     */
    reset,
  };
};

/** Events of the visitor, kept so that a new or changed query can be computed over them (spec C§4). */
export type EventsCache = ReturnType<typeof eventsCache>;

/** Texts of this page's events that are not in the store yet. */
const waitingTexts = (limitBytes: number) => {
  let waiting: string[] = [];
  const limited = (): readonly string[] => {
    waiting = waiting.slice(excess(waiting, limitBytes));
    return [...waiting];
  };
  return {
    add: (text: string): void => {
      // A write that hangs lets no other save begin, which would drop them.
      if (waiting.push(text) % measureEvery === 0) limited();
    },
    /** The texts, oldest first. Those beyond the limit are dropped, the oldest first. */
    limited,
    remove: (texts: readonly string[]): void => {
      const removed = new Set(texts);
      waiting = waiting.filter((text) => !removed.has(text));
    },
    clear: (): void => void (waiting = []),
  };
};

const readError = 'Error fetching data from store';
