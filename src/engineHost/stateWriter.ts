import { catchError, concat, defer, EMPTY, from, mergeMap, Observable, timer } from 'rxjs';

import type { PageEngine as Engine } from '../engine/engineInterface';
import type { Json } from '../hardening/json';
import type { EngineMessage, Start } from '../model/engineCommands';
import type { NumberedEvent } from '../model/event';
import type { Report } from '../model/report';
import type { SharedStore } from '../platform/platform';
import { engineEvent } from './cachedEvent';
import { type Counted, storedCounted } from './counted';
import { membershipOf, messagesOf, reportFaults } from './effects';
import { type Ledger, ledger } from './ledger';
import { type HostNotes, isOfUser, noChunk, readVersion, type StoredChunk, writeChunk } from './queriesChunk';
import { type TimingDeps, withTiming } from './timing';
import { withProvisional } from './unprocessed';
import type { StoredUntold, UntoldTransitions } from './untold';
import type { StoredState } from './validation';

/** Store and error reports of the writer. */
export interface StateWriterDeps extends TimingDeps {
  /** Whether some queries still have to take in events that others have taken in. No state is written meanwhile. */
  readonly isHolding: () => boolean;
  /** What is to be stored of the transitions that no event has told. */
  readonly untold: Pick<UntoldTransitions, 'add' | 'stored'>;
  readonly store: SharedStore;
  readonly json: Json;
  readonly report: Report;
}

/**
 * What the services keep from page to page. The notes are stored in the same record as the engine's state, so both are
 * always of the same moment.
 */
export interface Notes extends Pick<StoredChunk, 'syncedSession' | 'validation'> {
  /**
   * Computes the ids of the events that the server has not counted yet. The parameter `stored` has the stored ids,
   * because other tabs keep their ids there too.
   */
  readonly unlifted: (stored: readonly unknown[]) => readonly unknown[];
}

/** Makes the note whether one engine's state is saved. The state counts as saved at first. */
const unsavedState = () => {
  let tell = (): void => undefined;
  const state = {
    isUnsaved: false,
    /** The state has changed, or something that is stored with the state. */
    change: (): void => {
      state.isUnsaved = true;
      tell();
    },
    /** Emits at each change, so that it is saved without a later event. For one reader. */
    unsaved$: new Observable<void>((subscriber) => {
      tell = () => subscriber.next();
    }),
  };
  return state;
};

/** Tabs that write at the same moment make each other begin again. One of them succeeds each time. */
const maxAttempts = 20;
/** While events are held, a write looks so often whether they still are, in ms. */
const heldPollMs = 50;

/**
 * Writes one engine's state to the store of a user. State and the events that it has counted are one record. Tabs of
 * one browser share it: a write takes place only on the version that it was made from. Where another tab has written,
 * the engine takes over the stored state and counts on it the events that this state does not contain. A write that
 * fails is reported, and the next save tries again.
 *
 * All that changes what is to be stored goes through `change`, so that nothing waits for a later event to be
 * stored.
 *
 * Where the user has changed in another tab since this page began, the record is the new user's: it is left alone, and
 * what this page has counted is dropped (spec C§4).
 */
export const stateWriter = (start: Pick<Start, 'userId' | 'page'>, deps: StateWriterDeps) => {
  const { report, now } = deps;
  let since = now();
  const taken = ledger(start, now);
  const state = unsavedState();
  const { change, unsaved$ } = state;
  let through: string | undefined;
  /** Of each page, the last event that the engine was told, by its number. */
  const reached = new Map<string, number>();
  const saved = (): readonly EngineMessage[] =>
    through === undefined && reached.size === 0 ? [] : [{ type: 'saved', until: Object.fromEntries(reached) }];
  let lastWrite: StoredState | undefined;
  let provisional: NumberedEvent | undefined;
  let notes: Notes = { syncedSession: undefined, validation: undefined, unlifted: (stored) => stored };

  const replace = (engine: Engine): Observable<EngineMessage> =>
    replaceChunk(engine, taken, { ...deps, ...start, since }, () => {
      // Changes since the save began are in the snapshot that is taken here. The snapshot is read together with the
      // events in it, because events come while the store writes.
      state.isUnsaved = false;
      const chunk = engine.snapshot();
      lastWrite = { chunk, at: now(), through };
      return { chunk, notes, provisional, saved: saved() };
    });

  const write = (engine: Engine): Observable<EngineMessage> =>
    defer(() => replace(engine)).pipe(
      catchError((cause: unknown) => {
        // Not told as a change: a store that fails would be asked again and again.
        state.isUnsaved = true;
        report('Failed to save the state', cause);
        return EMPTY;
      }),
      withTiming('save', deps),
    );

  return {
    unsaved$,
    /** Takes over the stored chunk. What an older version or nobody has stored counts as a change. */
    restore: (stored: StoredChunk): void => {
      const { eventSourceId, groupId, counted, syncedSession, validation } = stored;
      taken.restore(stored);
      notes = { ...notes, syncedSession, validation };
      since = Math.max(since, stored.groupSince);
      if ([eventSourceId, groupId, counted].includes(undefined)) change();
    },
    /** Changes some notes. */
    note: (more: Partial<Notes>): void => {
      notes = { ...notes, ...more };
      change();
    },
    /** Whether the engine has taken in this event. */
    isCounted: taken.isCounted,
    /** The engine's state differs from the stored one. */
    markChanged: change,
    /** The engine has taken in this event. */
    markEvaluated: (event: NumberedEvent): void => {
      through = event.id;
      if (taken.add(event)) change();
    },
    /** The engine knows this event, which tells a transition. `isNews`: that was untold. */
    markTransition: (event: NumberedEvent, isNews: boolean): void =>
      taken.add(event) || isNews ? change() : undefined,
    /** The page has told the engine of this event, which the engine has taken in now, at the latest. */
    markTold: ({ page, number }: NumberedEvent): void => void reached.set(page, number),
    /** Stores a provisional event, which takes the place of the one before. */
    keep: (event: NumberedEvent): void => {
      [provisional, through] = [event, event.id];
      change();
    },
    /** The state of the latest write, whether that has succeeded or not; undefined before the first. */
    lastWrite: (): StoredState | undefined => lastWrite,
    /**
     * Writes the state if it changed, and emits `saved` with the last events in it. Where nothing changed, it emits
     * `saved` without a write.
     */
    save: (engine: Engine): Observable<EngineMessage> => defer(() => (state.isUnsaved ? write(engine) : from(saved()))),
    /** Writes the state in any case. */
    write,
  };
};

/** Knows what the stored state does not contain, and writes the state. */
export type StateWriter = ReturnType<typeof stateWriter>;

/** What is written, as it is at the moment of the write. */
interface Snapshot extends Pick<StoredState, 'chunk'> {
  readonly notes: Notes;
  /** The provisional event of this page, if any. */
  readonly provisional: NumberedEvent | undefined;
  /** Tells the page what is saved then. */
  readonly saved: readonly EngineMessage[];
}

interface ReplaceDeps extends StateWriterDeps, Pick<Start, 'userId' | 'page'> {
  /** When the page began. */
  readonly since: number;
}

/**
 * Writes the engine's state in the place of the stored one, and begins again where another tab was faster. Emits what
 * the engine has taken over from other tabs, and what is saved. Errors where the store does.
 */
const replaceChunk = (
  engine: Engine,
  taken: Ledger,
  deps: ReplaceDeps,
  snapshot: () => Snapshot,
  attempt = 1,
): Observable<EngineMessage> =>
  // What cannot be read was reported at load, and this write replaces it.
  readVersion(deps.store, deps.json, () => undefined).pipe(
    mergeMap(({ stored, version }) => {
      // The record of counted events says the same of all queries.
      if (deps.isHolding())
        return timer(heldPollMs).pipe(mergeMap(() => replaceChunk(engine, taken, deps, snapshot, attempt)));
      const isOurs = isOfUser(deps.userId, stored);
      const messages = isOurs ? takeIn(stored, engine, taken, deps) : [];
      const { chunk, saved, ...own } = snapshot();
      // The page counts as saved, so that its events are not left to the engine of the new user.
      if (!isOurs && stored.groupSince > deps.since) return from(saved);
      const { counted, landed } = taken.write(engine.parts.storage.appended.length);
      const base = isOurs ? stored : noChunk;
      const host = hostNotes(base, stored.unlifted, {
        ...deps,
        ...own,
        counted,
        untold: deps.untold.stored(base.untold),
      });
      const write$ = writeChunk(deps.store, deps.json, version, chunk, host).pipe(
        mergeMap((isWritten) => {
          if (isWritten) {
            landed({ rev: chunk.rev, eventSourceId: chunk['event-source-id'] });
            return saved;
          }
          if (attempt === maxAttempts) throw new Error('Other tabs write without a pause');
          return replaceChunk(engine, taken, deps, snapshot, attempt + 1);
        }),
      );
      return concat(from(messages), write$);
    }),
  );

/** Brings the engine to what another tab has stored since. Answers messages for the page. */
const takeIn = (
  stored: StoredChunk,
  engine: Engine,
  taken: Ledger,
  { report, now, untold }: StateWriterDeps,
): readonly EngineMessage[] => {
  const pending = taken.takeOver(stored);
  if (pending === null) return [];
  const rebased = engine.rebase(stored.state, { ...pending, events: pending.events.map(engineEvent) }, now());
  reportFaults(rebased, report);
  untold.add(rebased.transitions);
  const messages = messagesOf(engine, rebased);
  // A cohort that only the other tab has entered changes the membership without a transition.
  return rebased.changed.length > 0 && messages.length === 0
    ? [{ type: 'changed', membership: membershipOf(engine) }]
    : messages;
};

/** What this page stores beside the engine's state. */
interface OwnNotes extends Pick<Start, 'userId' | 'page'>, Pick<Snapshot, 'notes' | 'provisional'> {
  /** When the page began. */
  readonly since: number;
  readonly counted: Counted;
  readonly untold: StoredUntold;
}

/**
 * What the host stores beside the engine's state, under its stored names. `stored`: the state that it replaces;
 * `unlifted`: what stood there of events that the server has not counted.
 */
const hostNotes = (
  { groupSince, unprocessed }: StoredChunk,
  unlifted: readonly unknown[],
  { userId, page, since, notes, provisional, counted, untold }: OwnNotes,
): HostNotes => ({
  group_id: userId,
  group_since: Math.max(since, groupSince),
  counted: storedCounted(counted),
  synced_session: notes.syncedSession,
  validation: notes.validation,
  unlifted: notes.unlifted(unlifted),
  unprocessed: withProvisional(unprocessed, provisional, { counted, page }),
  untold,
});
