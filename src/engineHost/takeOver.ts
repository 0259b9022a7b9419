import { concat, defer, EMPTY, forkJoin, ignoreElements, map, mergeMap, type Observable, of } from 'rxjs';

import type { Json } from '../hardening/json';
import type { EventStore, StoredText } from '../platform/platform';
import { thisPage } from './cachedEvent';
import { listStore, type TextStore } from './listStore';
import { stateKey } from './queriesChunk';

/**
 * Moves events and state from local storage into the encrypted store, `home`. An earlier visit kept them in local
 * storage because the encrypted store failed.
 *
 * The state is taken where it continues the encrypted one, or where there is no encrypted one. Otherwise it belongs to
 * another event source: it is dropped here, and its counts come back by state sync, like those of another device. What
 * was moved is removed from local storage; what could not be moved is tried again by the next visit.
 */
export const takeOver = (local: TextStore, home: EventStore, json: Json): Observable<never> =>
  concat(events(local, home), state(local, home, json)).pipe(ignoreElements());

/**
 * Adds the events to the list of the last page. A list to which another page adds meanwhile stays. The cache drops
 * events that are in both stores when it loads.
 */
const events = (local: TextStore, home: EventStore): Observable<unknown> => {
  const lists = listStore(local);
  return lists.records().pipe(
    mergeMap((records) => {
      if (records.length === 0) return EMPTY;
      const fresh = records.map(({ text }) => [thisPage, text] as const);
      const moved = records.map(({ key }) => key);
      return concat(home.replace([], fresh), lists.replace(moved, []));
    }),
  );
};

/** The fields of the stored chunk that tell which of two states continues the other. */
interface State {
  /** The event source that wrote the state. */
  readonly 'event-source-id': unknown;
  /** Revision; it grows with each write. */
  readonly rev: unknown;
}

/** Other pages that write at the same moment make the move begin again, so often at most. */
const maxAttempts = 5;

/**
 * Moves the state, and removes it from local storage whether it was taken or not. A page that still writes it there
 * finds it gone, and goes on with what was moved: so only the very text that was moved is removed.
 */
const state = (local: TextStore, home: EventStore, json: Json, attempt = 1): Observable<unknown> => {
  const read = (store: Pick<EventStore, 'readVersion'>): Observable<StoredText & { readonly state: Partial<State> }> =>
    store
      .readVersion(stateKey)
      .pipe(map((stored) => ({ ...stored, state: Object(json.parse(stored.text ?? '')) as Partial<State> })));
  return forkJoin([read(local), defer(() => read(home))]).pipe(
    mergeMap(([there, here]) => {
      if (there.text === null) return EMPTY;
      const moved$ = goesOn(there.state, here.state) ? home.swap(stateKey, here.version, there.text) : of(true);
      return moved$.pipe(
        mergeMap((isMoved) => (isMoved ? local.swap(stateKey, there.version, null) : of(false))),
        mergeMap((isDone) => (isDone || attempt === maxAttempts ? EMPTY : state(local, home, json, attempt + 1))),
      );
    }),
  );
};

/**
 * Whether the state from local storage replaces the one at home: there is none at home, or it is an older one of the
 * same event source. A note that the store could not be read is no state.
 */
const goesOn = (there: Partial<State>, here: Partial<State>): boolean =>
  there['event-source-id'] !== undefined &&
  (here['event-source-id'] === undefined ||
    (there['event-source-id'] === here['event-source-id'] && Number(there.rev) > Number(here.rev)));
