import { concat, defer, EMPTY, forkJoin, ignoreElements, map, mergeMap, type Observable } from 'rxjs';

import type { Json } from '../model/json';
import type { EventStore } from '../platform/platform';
import { thisPage } from './cachedEvent';
import { listStore, type TextStore } from './listStore';
import { stateKey } from './queriesChunk';

/**
 * Brings events and state home that a visit had to keep in local storage, because the other store did not work then. The
 * state counts where it goes on from the one here, or where there is none here. Where that visit began anew, as a device of its
 * own, state sync brings its counts. What has arrived is removed there; what could not is tried again by the next visit.
 */
export const takeOver = (local: TextStore, home: EventStore, json: Json): Observable<never> =>
  concat(events(local, home), state(local, home, json)).pipe(ignoreElements());

/** As if the last page had left them: what is here twice is seen to when they are loaded. */
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

const goesOn = (there: Partial<State>, here: Partial<State>): boolean =>
  here['event-source-id'] === undefined ||
  (there['event-source-id'] === here['event-source-id'] && Number(there.rev) > Number(here.rev));
