import { catchError, map, type Observable, of } from 'rxjs';

import type { QueriesChunk } from '../engine/engine';
import { packChunk } from '../engine/state/packedChunk';
import { type Json, NoJson } from '../hardening/json';
import type { NumberedEvent } from '../model/event';
import type { Report } from '../model/report';
import { storeKeys } from '../model/storageKeys';
import type { SharedStore } from '../platform/platform';
import { isUuid } from '../primitives/uuid';
import { type Counted, readCounted, type StoredCounted } from './counted';
import { readUnprocessed } from './unprocessed';
import { readUntold, type StoredUntold } from './untold';

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
  /** A UUID. Absent on the first page view of this browser, and where something else is stored. */
  readonly eventSourceId: string | undefined;
  /** Revision of the state; it grows with each write. */
  readonly rev: number;
  /** Session of the last state sync that asked for the states of other devices. */
  readonly syncedSession: string | undefined;
  /** How far validation got, and in which session: `{state} {session}`. */
  readonly validation: string | undefined;
  /** Which events it contains; undefined in a state of an older version. */
  readonly counted: Counted | undefined;
  /** Ids of the events that cloud lift has sent, or has to send, and that are not counted yet. */
  readonly unlifted: readonly unknown[];
  /** Events of pages that may still replace them, which count once their page has ended (`./unprocessed.ts`). */
  readonly unprocessed: readonly NumberedEvent[];
  /** Transitions that pages have still to tell. */
  readonly untold: StoredUntold;
}

/** The chunk of a visitor of whom nothing is stored. */
export const noChunk: StoredChunk = {
  state: null,
  groupId: undefined,
  groupSince: 0,
  eventSourceId: undefined,
  rev: 0,
  syncedSession: undefined,
  validation: undefined,
  counted: undefined,
  unlifted: [],
  unprocessed: [],
  untold: {},
};

/**
 * What the host stores beside the engine's state, under its stored names. Each field is the one of `StoredChunk` with
 * the like name.
 */
export interface HostNotes {
  readonly group_id: string;
  readonly group_since: number;
  readonly synced_session: string | undefined;
  readonly validation: string | undefined;
  readonly counted: StoredCounted;
  readonly unlifted: readonly unknown[];
  readonly unprocessed: readonly NumberedEvent[];
  readonly untold: StoredUntold;
}

/** The stored chunk, and its version for {@link writeChunk}. */
export interface VersionedChunk {
  readonly stored: StoredChunk;
  readonly version: unknown;
}

/** Reads the stored chunk. A chunk that cannot be read is reported and counts as none. Errors where the store does. */
export const readVersion = (store: SharedStore, json: Json, report: Report): Observable<VersionedChunk> =>
  store.readVersion(stateKey).pipe(map(({ text, version }) => ({ stored: chunkOf(text, json, report), version })));

/** As {@link readVersion}, for readers that write nothing. A store that cannot be read is reported and has no chunk. */
export const readChunk = (store: SharedStore, json: Json, report: Report): Observable<StoredChunk> =>
  readVersion(store, json, report).pipe(
    map(({ stored }) => stored),
    catchError((cause: unknown) => {
      report('Error fetching data from store', cause);
      return of(noChunk);
    }),
  );

/** What a stored text says. */
const chunkOf = (text: string | null, json: Json, report: Report): StoredChunk => {
  if (text === null) return noChunk;
  const parsed = json.parse(text);
  if (parsed === NoJson || typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    report('Error fetching data from store', new Error(`${stateKey}: expected an object`));
    return noChunk;
  }
  const state = parsed as Record<string, unknown>;
  const string = (name: string): string | undefined => (typeof state[name] === 'string' ? state[name] : undefined);
  return {
    state,
    groupId: string('group_id'),
    groupSince: Number(state['group_since']) || 0,
    eventSourceId: sourceOf(state['event-source-id'], report),
    rev: Number(state['rev']) || 0,
    syncedSession: string('synced_session'),
    validation: string('validation'),
    counted: readCounted(state['counted']),
    unlifted: Array.isArray(state['unlifted']) ? (state['unlifted'] as readonly unknown[]) : [],
    unprocessed: readUnprocessed(state['unprocessed']),
    untold: readUntold(state['untold']),
  };
};

/** The stored event-source id. One that is no UUID is reported, and another is made in its place (spec C§5). */
const sourceOf = (id: unknown, report: Report): string | undefined => {
  if (isUuid(id)) return id;
  if (id !== undefined)
    report('Error fetching data from store', new Error(`${stateKey}/event-source-id: expected UUID`));
  return undefined;
};

/** Whether a stored state is of this user. A state that names no user counts as theirs. */
export const isOfUser = (userId: string, { groupId }: StoredChunk): boolean =>
  groupId === undefined || groupId === userId;

/**
 * Writes the engine's state, packed, with the host's notes, where the stored chunk is still of this version. Answers
 * whether it was. Errors as the store does.
 */
export const writeChunk = (
  store: SharedStore,
  json: Json,
  version: unknown,
  state: QueriesChunk,
  notes: HostNotes,
): Observable<boolean> => store.swap(stateKey, version, json.stringify({ ...packChunk(state), ...notes }));
