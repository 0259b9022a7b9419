import { concat, forkJoin, ignoreElements, map, mergeMap, type Observable, of } from 'rxjs';

import type { EventStore, SharedStore } from '../platform/platform';
import { previousPages, thisPage } from './cachedEvent';

/** Texts by key, with a way to remove one. */
export interface TextStore extends SharedStore {
  /** As in `SharedStore`; null removes the key. */
  readonly swap: (key: string, version: unknown, text: string | null) => Observable<boolean>;
  readonly remove: (key: string) => Observable<unknown>;
}

const eventLists = [previousPages, thisPage];

/**
 * An event store over texts by key, for local storage: each list of events is one record under its own name. An
 * operation of the store is several steps, so a crash between two steps can leave events in both lists. The cache drops
 * duplicates by id.
 */
export const listStore = ({ read, readVersion, swap, write, remove }: TextStore): EventStore => {
  /** Appends JSON lists to the text of a list. `isNew`: the list's present text is to go. */
  const add = (list: string, texts: readonly string[], isNew: boolean): Observable<unknown> =>
    (isNew ? of(null) : read(list)).pipe(
      mergeMap((text) => write(list, joinedLists(text === null ? texts : [text, ...texts]))),
    );
  return {
    read,
    readVersion,
    swap,
    write,
    records: () =>
      forkJoin(eventLists.map((key) => read(key).pipe(map((text) => (text === null ? [] : [{ key, text }]))))).pipe(
        map((found) => found.flat()),
      ),
    replace: (stale, fresh) => {
      const textsOf = (key: string): readonly string[] => fresh.flatMap(([list, text]) => (list === key ? [text] : []));
      return done(
        ...eventLists
          .filter((key) => textsOf(key).length > 0)
          .map((key) => add(key, textsOf(key), stale.includes(key))),
        // Removal comes last, so that an event that moves is always in at least one list.
        ...stale.filter((key) => textsOf(key).length === 0).map(remove),
      ).pipe(map(() => fresh.map(([list]) => list)));
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
