import { concat, forkJoin, ignoreElements, map, mergeMap, type Observable, of } from 'rxjs';

import type { EventStore, SharedStore } from '../platform/platform';
import { previousPages, thisPage } from './cachedEvent';

/** Texts by key, with a way to remove one. */
export interface TextStore extends SharedStore {
  /** As in `SharedStore`; null removes the key. */
  readonly swap: (key: string, version: unknown, text: string | null) => Observable<boolean>;
  readonly remove: (key: string) => Observable<unknown>;
}

const eventLists: readonly string[] = [previousPages, thisPage];

/** Tabs that add to a list at the same moment make each other begin again. One of them succeeds each time. */
const maxAttempts = 20;

/**
 * An event store over texts by key, for local storage: each list of events is one record under its own name. An
 * operation of the store is several steps, so a crash between two steps can leave events in both lists. The cache drops
 * duplicates by id.
 *
 * Tabs share the lists. So a list is changed only where nothing was added to it since it was read: what another tab has
 * added stays, beside what was to replace the list.
 */
export const listStore = ({ readVersion, swap, write, remove, read }: TextStore): EventStore => {
  /** The versions of the lists that this page has read and not replaced since. A version may be a text of megabytes. */
  const seen = new Map<string, unknown>();
  const readList = (key: string): Observable<string | null> =>
    readVersion(key).pipe(
      map(({ text, version }) => {
        seen.set(key, version);
        return text;
      }),
    );
  /** Appends JSON lists to the text of a list. */
  const add = (list: string, texts: readonly string[], attempt = 1): Observable<unknown> =>
    readVersion(list).pipe(
      mergeMap(({ text, version }) => swap(list, version, joinedLists(text === null ? texts : [text, ...texts]))),
      mergeMap((isWritten) => {
        if (isWritten) return of(true);
        if (attempt === maxAttempts) throw new Error('Other tabs write without a pause');
        return add(list, texts, attempt + 1);
      }),
    );
  /** Puts JSON lists in the place of a list. */
  const put = (list: string, texts: readonly string[]): Observable<unknown> =>
    swap(list, seen.get(list) ?? null, joinedLists(texts)).pipe(
      mergeMap((isWritten) => (isWritten ? of(true) : add(list, texts))),
    );
  return {
    read: (key) => (eventLists.includes(key) ? readList(key) : read(key)),
    readVersion,
    swap,
    write,
    records: () =>
      forkJoin(eventLists.map((key) => readList(key).pipe(map((text) => (text === null ? [] : [{ key, text }]))))).pipe(
        map((found) => found.flat()),
      ),
    replace: (stale, fresh) => {
      const textsOf = (key: string): readonly string[] => fresh.flatMap(([list, text]) => (list === key ? [text] : []));
      return done(
        ...eventLists
          .filter((key) => textsOf(key).length > 0)
          .map((key) => (stale.includes(key) ? put : add)(key, textsOf(key))),
        // Removal comes last, so that an event that moves is always in at least one list.
        ...stale.filter((key) => textsOf(key).length === 0).map((key) => swap(key, seen.get(key) ?? null, null)),
      ).pipe(
        map(() => {
          for (const key of stale) seen.delete(key);
          return fresh.map(([list]) => list);
        }),
      );
    },
    clear: () => done(...eventLists.map(remove)),
  };
};

/** Runs the steps one after the other, and emits once when all are done. */
const done = (...steps: readonly Observable<unknown>[]): Observable<void> =>
  concat(concat(...steps).pipe(ignoreElements()), of(undefined));

/** Joins JSON lists to one, without parsing them. */
const joinedLists = (texts: readonly string[]): string =>
  `[${texts
    .map((text) => text.slice(1, -1))
    .filter((text) => text !== '')
    .join(',')}]`;
