import { concat, forkJoin, ignoreElements, map, mergeMap, type Observable, of } from 'rxjs';

import type { EventStore, KeyValueStore } from '../platform/platform';
import { previousPages, thisPage } from './cachedEvent';

export interface TextStore extends KeyValueStore {
  readonly remove: (key: string) => Observable<unknown>;
}

const lists = [previousPages, thisPage];

/** Keeps each list of events as one record under its own name, where a store has texts only: local storage. */
export const listStore = ({ read, write, remove }: TextStore): EventStore => {
  const add = (list: string, texts: readonly string[], isNew: boolean): Observable<unknown> =>
    (isNew ? of(null) : read(list)).pipe(
      mergeMap((text) => write(list, joined(text === null ? texts : [text, ...texts]))),
    );
  return {
    read,
    write,
    records: () =>
      forkJoin(lists.map((key) => read(key).pipe(map((text) => (text === null ? [] : [{ key, text }]))))).pipe(
        map((found) => found.flat()),
      ),
    replace: (stale, fresh) => {
      const textsOf = (key: string): readonly string[] => fresh.flatMap(([list, text]) => (list === key ? [text] : []));
      return done(
        ...lists.filter((key) => textsOf(key).length > 0).map((key) => add(key, textsOf(key), stale.includes(key))),
        // Last: what moves to the other list leaves its own once it is there.
        ...stale.filter((key) => textsOf(key).length === 0).map(remove),
      ).pipe(map(() => fresh.map(([list]) => list)));
    },
    clear: (except) => done(...lists.filter((key) => !except.has(key)).map(remove)),
  };
};

/** One after the other. */
const done = (...steps: readonly Observable<unknown>[]): Observable<void> =>
  concat(concat(...steps).pipe(ignoreElements()), of(undefined));

/** JSON lists as one, without reading them. */
const joined = (texts: readonly string[]): string =>
  `[${texts
    .map((text) => text.slice(1, -1))
    .filter((text) => text !== '')
    .join(',')}]`;
