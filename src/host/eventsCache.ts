import { isRight } from 'fp-ts/Either';
import { catchError, concat, defer, EMPTY, endWith, forkJoin, ignoreElements, map, mergeMap, type Observable, throwError } from 'rxjs';
import { decode } from '../model/decode';
import { type Json, NoJson } from '../model/json';
import { QuotaError } from '../model/quotaError';
import type { Report } from '../model/report';
import type { KeyValueStore } from '../platform/platform';
import { bytesOf, CachedEvent, excess, mergedById, withinTtl } from './cachedEvent';

/** Local storage keys, and record keys of the larger store (spec C§3). */
const previousPages = 'permutive-events-cache';
const thisPage = 'permutive-events-for-page';

/** A write that finds no room is tried again this often, each time after dropping 1.2 times the excess (spec C§9). */
const maxQuotaRetries = 9;
const pruneFactor = 1.2;

export interface EventsCacheDeps {
  readonly store: KeyValueStore;
  readonly json: Json;
  readonly now: () => number;
  readonly report: Report;
  readonly limitBytes: number;
  readonly ttlDays: number | null;
}

/** What the visitor did, kept so that a new or changed query can be computed over it (spec C§4). */
export interface EventsCache {
  /** Moves what the last page left into the main cache, within age and size. Oldest first; never an error. */
  readonly load: () => Observable<readonly CachedEvent[]>;
  /** Adds to this page's events, in memory. */
  readonly add: (event: CachedEvent) => void;
  /** Writes this page's events. Completes when stored, or reported. */
  readonly save: () => Observable<never>;
  /** Forgets everything; `historical` keeps this page's events. */
  readonly reset: (kind: 'all' | 'historical') => Observable<never>;
}

export const eventsCache = (deps: EventsCacheDeps): EventsCache => {
  const { store, json, report } = deps;
  // This page's events as text, so that a write neither reads nor serialises them again.
  let own: string[] = [];

  const put = (key: string, texts: readonly string[]): Observable<never> =>
    writeWithinQuota(store, key, texts, maxQuotaRetries).pipe(
      catchError((cause: unknown) => {
        report(`Events cache failed to put ${key}.`, cause);
        return EMPTY;
      }),
      ignoreElements(),
    );

  const reset: EventsCache['reset'] = (kind) =>
    defer(() => {
      if (kind === 'all') own = [];
      return concat(put(previousPages, []), put(thisPage, own));
    });

  const migrate = (events: readonly CachedEvent[]): Observable<readonly CachedEvent[]> => {
    const texts = events.map((event) => json.stringify(event));
    const drop = excess(texts, deps.limitBytes);
    // The last page's list is emptied only once its events are in the main cache.
    return concat(writeWithinQuota(store, previousPages, texts.slice(drop), maxQuotaRetries), put(thisPage, [])).pipe(
      ignoreElements(),
      catchError((cause: unknown) => {
        report('Migrate previous events failed.', cause);
        return EMPTY;
      }),
      endWith(events.slice(drop)),
    );
  };

  return {
    load: () =>
      forkJoin([readList(previousPages, deps), readList(thisPage, deps)]).pipe(
        map(([before, lastPage]) => withinTtl(mergedById(before, lastPage), deps.ttlDays, deps.now())),
        mergeMap(migrate),
        catchError((cause: unknown) => {
          report('Error fetching data from store', cause);
          return reset('all').pipe(endWith([]));
        }),
      ),
    add: (event) => {
      own.push(json.stringify(event));
    },
    save: () =>
      defer(() => {
        own = own.slice(excess(own, deps.limitBytes));
        return put(thisPage, own);
      }),
    reset,
  };
};

const readList = (key: string, { store, json, report }: EventsCacheDeps): Observable<readonly CachedEvent[]> =>
  store.read(key).pipe(
    map((text) => {
      if (text === null) return [];
      const list = json.parse(text);
      if (list === NoJson || !Array.isArray(list)) throw new Error(`${key}: expected a list of events`);
      // A broken event costs itself, not its neighbours.
      return list.flatMap((entry: unknown, i) => {
        const event = decode(CachedEvent)(entry);
        if (isRight(event)) return [event.right];
        report('Error fetching data from store', new Error(`${key}/${i}: ${event.left.message}`));
        return [];
      });
    }),
  );

/** What the store lacks is at most what the newest event adds: each retry drops 1.2 times that from the oldest. */
const writeWithinQuota = (store: KeyValueStore, key: string, texts: readonly string[], retries: number): Observable<void> =>
  store.write(key, `[${texts.join(',')}]`).pipe(
    catchError((error: unknown) => {
      if (!(error instanceof QuotaError) || retries === 0) return throwError(() => error as Error);
      return writeWithinQuota(store, key, withoutOldest(texts, bytesOf(texts.at(-1) ?? '') * pruneFactor), retries - 1);
    }),
  );

const withoutOldest = (texts: readonly string[], bytes: number): readonly string[] => {
  let count = 0;
  for (let dropped = 0; count < texts.length && dropped < bytes; count += 1) dropped += bytesOf(texts[count] ?? '');
  return texts.slice(count);
};
