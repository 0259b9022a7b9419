import { catchError, defer, EMPTY, mergeMap, type Observable, of } from 'rxjs';

import type { PageEngine as Engine } from '../engine/engineInterface';
import type { EngineMessage } from '../model/engineCommands';
import type { Json } from '../model/json';
import type { Report } from '../model/report';
import type { KeyValueStore } from '../platform/platform';
import { membershipOf, messagesOf, reportFaults } from './effects';
import { isOfUser, readChunk, type StoredChunk, writeChunk } from './queriesChunk';
import { type TimingDeps, withTiming } from './timing';
import type { StoredState } from './validation';

export interface StateWriterDeps extends TimingDeps {
  readonly store: KeyValueStore;
  readonly json: Json;
  /** Does work while no other tab does work of that name. */
  readonly exclusively: <A>(name: string, work$: Observable<A>) => Observable<A>;
  readonly report: Report;
}

/** What the services remember from page to page. It is stored with the engine's state. */
export interface Notes extends Pick<StoredChunk, 'syncedSession' | 'validation'> {
  /**
   * Ids of the events that the server has not counted yet. Given are the stored ones, because other tabs have theirs
   * there.
   */
  readonly unlifted: (stored: readonly unknown[]) => readonly unknown[];
}

export interface StateWriter {
  /** Begins with what was stored. A new source counts as a change. */
  readonly restore: (chunk: StoredChunk) => void;
  readonly note: (notes: Partial<Notes>) => void;
  /** The engine's state differs from the stored one. */
  readonly markChanged: () => void;
  /** The engine's state contains this event and all before it. */
  readonly markEvaluated: (eventId: string) => void;
  /** What was written last. */
  readonly lastWrite: () => StoredState | undefined;
  /** Writes the state if it changed, while no other tab does, and says up to which event. */
  readonly save: (engine: Engine) => Observable<EngineMessage>;
  /** Writes the state. */
  readonly write: (engine: Engine) => Observable<EngineMessage>;
}

/** Writes one engine's state to the store of a user. A write that fails is reported, and the next save tries again. */
export const stateWriter = (userId: string, deps: StateWriterDeps): StateWriter => {
  const { store, json, report, now } = deps;
  let isUnsaved = false;
  let through: string | undefined;
  let lastWrite: StoredState | undefined;
  let notes: Notes = { syncedSession: undefined, validation: undefined, unlifted: (stored) => stored };

  /** Puts the engine's state in the place of the stored one. */
  const replace = (stored: StoredChunk, engine: Engine): Observable<EngineMessage> => {
    const merged = isOfUser(userId, stored) ? takeIn(stored, engine, report) : [];
    isUnsaved = false;
    // The snapshot and the last event in it are read together, because events come while the store writes.
    const eventId = through;
    const chunk = engine.snapshot();
    lastWrite = { chunk, at: now(), through: eventId };
    const saved: readonly EngineMessage[] = eventId === undefined ? [] : [{ type: 'saved', eventId }];
    const written = { ...chunk, through: eventId, group_id: userId, ...storedNotes(notes, stored) };
    return writeChunk(store, json, written).pipe(mergeMap(() => [...merged, ...saved]));
  };

  const write: StateWriter['write'] = (engine) =>
    // A stored state that cannot be read was reported at load, and is about to be replaced.
    readChunk(store, json, () => undefined).pipe(
      mergeMap((stored) => replace(stored, engine)),
      catchError((cause: unknown) => {
        isUnsaved = true;
        report('Failed to save the state', cause);
        return EMPTY;
      }),
      withTiming('save', deps),
    );

  return {
    restore: ({ eventSourceId, syncedSession, validation }) => {
      isUnsaved = eventSourceId === undefined;
      notes = { ...notes, syncedSession, validation };
    },
    note: (more) => {
      notes = { ...notes, ...more };
      isUnsaved = true;
    },
    markChanged: () => {
      isUnsaved = true;
    },
    markEvaluated: (eventId) => {
      through = eventId;
    },
    lastWrite: () => lastWrite,
    save: (engine) =>
      defer(() => {
        if (isUnsaved) {
          isUnsaved = false;
          return deps.exclusively('permutive-state', write(engine));
        }
        return through === undefined ? EMPTY : of<EngineMessage>({ type: 'saved', eventId: through });
      }),
    write,
  };
};

/** Another tab may have saved since: what it counted and published is taken over before its state is overwritten. */
const takeIn = ({ state }: StoredChunk, engine: Engine, report: Report): readonly EngineMessage[] => {
  const merged = engine.mergeStored(state);
  reportFaults(merged, report);
  const messages = messagesOf(engine, merged);
  return merged.changed.length > 0 ? [{ type: 'changed', membership: membershipOf(engine) }, ...messages] : messages;
};

const storedNotes = ({ syncedSession, validation, unlifted }: Notes, stored: StoredChunk) => ({
  synced_session: syncedSession,
  validation,
  unlifted: unlifted(stored.unlifted),
});
