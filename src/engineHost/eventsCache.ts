import {
  catchError,
  concat,
  defer,
  EMPTY,
  endWith,
  forkJoin,
  ignoreElements,
  map,
  mergeMap,
  type Observable,
  of,
  tap,
} from 'rxjs';

import { nameOf } from '../model/nameOf';
import type { Report } from '../model/report';
import type { EventStore } from '../platform/platform';
import {
  bytesOf,
  bytesOfList,
  type CachedEvent,
  chunked,
  dropped,
  excess,
  previousPages,
  thisPage,
} from './cachedEvent';
import { arranged, type ArrangeDeps } from './eventRecords';

/** A write that finds no room is tried again this often, each time after dropping 1.2 times the excess (spec C§9). */
const maxQuotaRetries = 9;
const pruneFactor = 1.2;
/** A full cache is pruned by so much more than it needs, so that not each event prunes again. */
const slack = 0.02;
const maxFaults = 5;

export interface EventsCacheDeps extends ArrangeDeps {
  readonly store: EventStore;
  readonly report: Report;
}

/** What the visitor did, kept so that a new or changed query can be computed over it (spec C§4). */
export interface EventsCache {
  /** Moves what the last page left into the main cache, within age and size. Oldest first; never an error. */
  readonly load: () => Observable<readonly CachedEvent[]>;
  /** Adds to this page's events, in memory. */
  readonly add: (event: CachedEvent) => void;
  /** Appends what was added to the store. Answers why, where that was not possible; it is tried again with the next. */
  readonly save: () => Observable<unknown>;
  /** Forgets everything; `historical` keeps this page's events. */
  readonly reset: (kind: 'all' | 'historical') => Observable<never>;
}

export const eventsCache = (deps: EventsCacheDeps): EventsCache => {
  const { store, json, report, limitBytes } = deps;
  /** This page's events that are not in the store yet, as text. */
  let waiting: string[] = [];
  /** Bytes of each record by key, oldest first, as far as this page knows. */
  let sizes: ReadonlyMap<string, number> = new Map();
  /** Records of this page. */
  const own = new Set<string>();
  /** What the last page could not see saved is evaluated again, and is here already. */
  let loaded: ReadonlySet<string> = new Set();

  const replace = (
    stale: readonly string[],
    list: string,
    texts: readonly string[],
    isOldest: boolean,
  ): Observable<readonly string[]> => {
    const chunks = chunked(texts);
    const fresh = chunks.map((chunk) => [list, chunk] as const);
    return store.replace(stale, fresh).pipe(
      tap((keys) => {
        const others = [...sizes].filter(([key]) => !stale.includes(key));
        const known = new Map([...(isOldest ? keys.map((key) => [key, 0] as const) : []), ...others]);
        keys.forEach((key, i) => {
          known.set(key, (known.get(key) ?? 0) + bytesOf(chunks[i] ?? ''));
          if (list === thisPage) own.add(key);
        });
        sizes = known;
      }),
    );
  };

  /** Drops at least so many bytes of the oldest events of these records. */
  const prune = (keys: readonly string[], bytes: number): Observable<never> => {
    let found = 0;
    const stale = keys.filter((key) => {
      const before = found;
      found += sizes.get(key) ?? 0;
      return before < bytes;
    });
    return forkJoin(stale.map((key) => store.read(key))).pipe(
      mergeMap((records) => {
        const texts = records.flatMap((text) => listOf(json.parse(text ?? ''))).map((event) => json.stringify(event));
        return replace(
          stale,
          stale.some((key) => own.has(key)) ? thisPage : previousPages,
          texts.slice(dropped(texts, bytes)),
          true,
        );
      }),
      ignoreElements(),
    );
  };

  /** Adds to a list, in place of some records. Where there is no room, the oldest of the others go; where there are none, the oldest of these. */
  const put = (
    stale: readonly string[],
    list: string,
    texts: readonly string[],
    retries = maxQuotaRetries,
  ): Observable<readonly string[]> =>
    replace(stale, list, texts, false).pipe(
      catchError((error: unknown) => {
        if (nameOf(error) !== 'QuotaError' || retries === 0) throw error as Error;
        const others = [...sizes.keys()].filter((key) => !stale.includes(key));
        if (others.length > 0)
          return concat(prune(others, bytesOfList(texts) * pruneFactor), put(stale, list, texts, retries - 1));
        const count = dropped(texts, bytesOf(texts.at(-1) ?? '') * pruneFactor);
        return put(stale, list, texts.slice(Math.min(count, texts.length - 1)), retries - 1);
      }),
    );

  const reset: EventsCache['reset'] = (kind) =>
    defer(() => {
      if (kind === 'all') {
        waiting = [];
        loaded = new Set();
        own.clear();
      }
      sizes = new Map([...sizes].filter(([key]) => own.has(key)));
      return store.clear(own);
    }).pipe(
      ignoreElements(),
      catchError((cause: unknown) => {
        report(`Events cache failed to put ${previousPages}.`, cause);
        return EMPTY;
      }),
    );

  return {
    load: () =>
      store.records().pipe(
        map((records) => arranged(records, deps)),
        mergeMap(({ events, stale, fresh, faults, ...found }) => {
          if (faults.length > 0)
            report('Error fetching data from store', new Error(faults.slice(0, maxFaults).join('; ')));
          sizes = new Map(found.sizes);
          loaded = new Set(events.map(({ id }) => id));
          if (stale.length === 0) return of(events);
          // The last page's records go only with the same step that has their events in the main cache.
          return put(
            stale,
            previousPages,
            fresh.map((event) => json.stringify(event)),
          ).pipe(
            ignoreElements(),
            catchError((cause: unknown) => {
              report('Migrate previous events failed.', cause);
              return EMPTY;
            }),
            endWith(events),
          );
        }),
        catchError((cause: unknown) => {
          report('Error fetching data from store', cause);
          return reset('all').pipe(endWith([]));
        }),
      ),
    add: (event) => {
      if (!loaded.has(event.id)) waiting.push(json.stringify(event));
    },
    save: () =>
      defer(() => {
        waiting = waiting.slice(excess(waiting, limitBytes));
        const texts = [...waiting];
        if (texts.length === 0) return EMPTY;
        const bytes = [...sizes.values()].reduce((sum, each) => sum + each, bytesOfList(texts));
        const isOver = limitBytes > 0 && bytes > limitBytes && sizes.size > 0;
        return concat(
          isOver ? prune([...sizes.keys()], bytes - limitBytes * (1 - slack)) : EMPTY,
          put([], thisPage, texts),
        ).pipe(
          tap(() => (waiting = waiting.slice(texts.length))),
          ignoreElements(),
          catchError((cause: unknown) => of(cause)),
        );
      }),
    reset,
  };
};

const listOf = (parsed: unknown): readonly unknown[] => (Array.isArray(parsed) ? parsed : []);
