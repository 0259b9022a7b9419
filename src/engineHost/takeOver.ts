import { concat, defer, EMPTY, forkJoin, ignoreElements, map, mergeMap, type Observable } from 'rxjs';

import type { Json } from '../model/json';
import type { EventStore } from '../platform/platform';
import { thisPage } from './cachedEvent';
import { listStore, type TextStore } from './listStore';
import { stateKey } from './queriesChunk';

/**
 * Moves events and state from local storage, where an earlier visit kept them because the encrypted store failed, into
 * the encrypted store. The state is taken where it continues the encrypted one, or where there is no encrypted one.
 * Otherwise it is of another event source, and its counts come back by state sync, like those of another device. What
 * was moved is removed from local storage; what could not be moved is tried again by the next visit.
 */
export const takeOver = (local: TextStore, home: EventStore, json: Json): Observable<never> =>
  concat(events(local, home), state(local, home, json)).pipe(ignoreElements());

/** Adds the events to those of the last page. Events that are in both stores are dropped when the cache is loaded. */
const events = (local: TextStore, home: EventStore): Observable<unknown> =>
  listStore(local)
    .records()
    .pipe(
      mergeMap((records) => {
        if (records.length === 0) return EMPTY;
        const fresh = records.map(({ text }) => [thisPage, text] as const);
        return concat(home.replace([], fresh), ...records.map(({ key }) => local.remove(key)));
      }),
    );

interface State {
  readonly 'event-source-id': unknown;
  readonly rev: unknown;
}

const state = (local: TextStore, home: EventStore, json: Json): Observable<unknown> => {
  const read = (
    store: Pick<EventStore, 'read'>,
  ): Observable<{ readonly text: string | null; readonly state: Partial<State> }> =>
    store.read(stateKey).pipe(map((text) => ({ text, state: Object(json.parse(text ?? '')) as Partial<State> })));
  return forkJoin([read(local), defer(() => read(home))]).pipe(
    mergeMap(([there, here]) => {
      if (there.text === null) return EMPTY;
      return concat(goesOn(there.state, here.state) ? home.write(stateKey, there.text) : EMPTY, local.remove(stateKey));
    }),
  );
};

/** The state is of the same event source as the one at home, and newer; or there is none at home. */
const goesOn = (there: Partial<State>, here: Partial<State>): boolean =>
  here['event-source-id'] === undefined ||
  (there['event-source-id'] === here['event-source-id'] && Number(there.rev) > Number(here.rev));
