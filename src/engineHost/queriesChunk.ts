import { catchError, map, type Observable, of } from 'rxjs';

import type { QueriesChunk } from '../engine/engine';
import { packChunk } from '../engine/state/packedChunk';
import { type Json, NoJson } from '../model/json';
import type { Report } from '../model/report';
import { storeKeys } from '../model/storageKeys';
import type { KeyValueStore } from '../platform/platform';
import { readPoints, type SavedPoint, type SavedPoints } from './savedPoints';

/** Key of the queries chunk, the same in the encrypted store and in local storage (contract: storage). */
export const stateKey = storeKeys.queries;

/** What is stored of a visitor: the engine's state, and what the host adds to it. */
export interface StoredChunk {
  /** For the engine to decode; null where nothing usable is stored. */
  readonly state: Readonly<Record<string, unknown>> | null;
  /** The user whose state it is; absent in a state of an older version. */
  readonly groupId: string | undefined;
  /** When the newest page of this user began that has written the state, in ms since 1970; 0 in older states. */
  readonly groupSince: number;
  /** Absent on the first page view of this browser. */
  readonly eventSourceId: string | undefined;
  /** Id of the last event whose effects are in the state. */
  readonly through: string | undefined;
  /** Session of the last state sync that asked for the states of other devices. */
  readonly syncedSession: string | undefined;
  /** How far validation got, and in which session: `{state} {session}`. */
  readonly validation: string | undefined;
  /** How far it contains the cached events; undefined in a state of an older version. */
  readonly points: SavedPoints | undefined;
  /** Which writes of each page it contains; undefined in a state of an older version. */
  readonly writes: SavedPoints | undefined;
  /** Ids of the events that cloud lift has sent, or has to send, and that are not counted yet. */
  readonly unlifted: readonly unknown[];
}

/** The chunk of a visitor of whom nothing is stored. */
export const noChunk: StoredChunk = {
  state: null,
  groupId: undefined,
  groupSince: 0,
  eventSourceId: undefined,
  through: undefined,
  syncedSession: undefined,
  validation: undefined,
  points: undefined,
  writes: undefined,
  unlifted: [],
};

/**
 * What the host stores beside the engine's state, under its stored names. Each field is the one of `StoredChunk` with
 * the like name.
 */
export interface HostNotes {
  readonly group_id: string;
  readonly group_since: number;
  readonly through: string | undefined;
  readonly synced_session: string | undefined;
  readonly validation: string | undefined;
  readonly points: Readonly<Record<string, SavedPoint>>;
  readonly writes: Readonly<Record<string, SavedPoint>>;
  readonly unlifted: readonly unknown[];
}

/** Reads the stored chunk. A chunk that cannot be read is reported and counts as none. */
export const readChunk = (store: KeyValueStore, json: Json, report: Report): Observable<StoredChunk> =>
  store.read(stateKey).pipe(
    map((text) => {
      if (text === null) return noChunk;
      const parsed = json.parse(text);
      if (parsed === NoJson || typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
        throw new Error(`${stateKey}: expected an object`);
      const state = parsed as Record<string, unknown>;
      const string = (name: string): string | undefined => (typeof state[name] === 'string' ? state[name] : undefined);
      return {
        state,
        groupId: string('group_id'),
        groupSince: Number(state['group_since']) || 0,
        eventSourceId: string('event-source-id'),
        through: string('through'),
        syncedSession: string('synced_session'),
        validation: string('validation'),
        points: readPoints(state['points']),
        writes: readPoints(state['writes']),
        unlifted: Array.isArray(state['unlifted']) ? (state['unlifted'] as readonly unknown[]) : [],
      };
    }),
    catchError((cause: unknown) => {
      report('Error fetching data from store', cause);
      return of(noChunk);
    }),
  );

/** Whether a stored state is of this user. A state that names no user counts as theirs. */
export const isOfUser = (userId: string, { groupId }: StoredChunk): boolean =>
  groupId === undefined || groupId === userId;

/** Writes the engine's state, packed, with the host's notes. Errors as the store does. */
export const writeChunk = (store: KeyValueStore, json: Json, state: QueriesChunk, notes: HostNotes): Observable<void> =>
  store.write(stateKey, json.stringify({ ...packChunk(state), ...notes }));
