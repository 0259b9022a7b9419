import { catchError, defer, EMPTY, from, mergeMap, type Observable, tap } from 'rxjs';

import type { PageEngine as Engine } from '../engine/engineInterface';
import type { EngineMessage, Start } from '../model/engineCommands';
import type { Event } from '../model/event';
import type { Json } from '../model/json';
import type { Report } from '../model/report';
import type { KeyValueStore } from '../platform/platform';
import { type CachedEvent, isCached } from './cachedEvent';
import { membershipOf, messagesOf, reportFaults } from './effects';
import { type HostNotes, isOfUser, noChunk, readChunk, type StoredChunk, writeChunk } from './queriesChunk';
import { mergedPoints, pointOf, type SavedPoint, type SavedPoints } from './savedPoints';
import { type TimingDeps, withTiming } from './timing';
import type { StoredState } from './validation';

/** Store, lock and error reports of the writer. */
export interface StateWriterDeps extends TimingDeps {
  readonly store: KeyValueStore;
  readonly json: Json;
  /** Runs `work$` while no other tab of the origin runs work of that name. */
  readonly exclusively: <A>(name: string, work$: Observable<A>) => Observable<A>;
  readonly report: Report;
}

/**
 * What the services keep from page to page. It is stored in the same record as the engine's state, so both are always
 * of the same moment.
 */
export interface Notes extends Pick<StoredChunk, 'syncedSession' | 'validation'> {
  /**
   * Computes the ids of the events that the server has not counted yet. It is given the stored ids, because other tabs
   * keep theirs there too.
   */
  readonly unlifted: (stored: readonly unknown[]) => readonly unknown[];
}

/** Knows whether the state differs from the stored one, and writes it. */
export interface StateWriter {
  /** Takes over what was stored. A new event source counts as a change, so that it is written at the next save. */
  readonly restore: (chunk: StoredChunk) => void;
  /** Changes some notes, to be written with the next save. */
  readonly note: (notes: Partial<Notes>) => void;
  /** The engine's state differs from the stored one. */
  readonly markChanged: () => void;
  /** The engine's state contains this event and all before it. */
  readonly markEvaluated: (event: Event & Pick<CachedEvent, 'page'>) => void;
  /** The state of the latest write, whether that has succeeded or not; undefined before the first. */
  readonly lastWrite: () => StoredState | undefined;
  /**
   * Writes the state if it changed, under the lock of the tabs, and emits `saved` with the last event in it. Where
   * nothing changed, it emits `saved` without a write.
   */
  readonly save: (engine: Engine) => Observable<EngineMessage>;
  /** Writes the state in any case, and without the lock. */
  readonly write: (engine: Engine) => Observable<EngineMessage>;
}

/**
 * Writes one engine's state to the store of a user. Tabs of one browser share the record: each write reads it first,
 * takes over the counts that other tabs have added, and writes the sum. A write that fails is reported, and the next
 * save tries again.
 *
 * Where the user has changed in another tab since this page began, the record is the new user's: it is left alone, and
 * what this page has counted is dropped (spec C§4).
 */
export const stateWriter = ({ userId, page }: Pick<Start, 'userId' | 'page'>, deps: StateWriterDeps): StateWriter => {
  const { store, json, report, now } = deps;
  const since = now();
  let isUnsaved = false;
  let through: string | undefined;
  let lastWrite: StoredState | undefined;
  /** Revision of the latest write that has succeeded. */
  let landed = 0;
  /** The last cached event that the engine contains, of this page and of those whose missed events it was given. */
  const points = new Map<string, SavedPoint>();
  let notes: Notes = { syncedSession: undefined, validation: undefined, unlifted: (stored) => stored };

  /** Merges the stored state into the engine, then writes the engine's state in its place. */
  const replace = (stored: StoredChunk, engine: Engine): Observable<EngineMessage> => {
    const isOurs = isOfUser(userId, stored);
    const ours = isOurs ? stored : noChunk;
    const merged = isOurs ? takeIn(stored, landedRevision(stored.writes, page, landed), engine, report) : [];
    // Changes since the save began are in the snapshot that is taken here.
    isUnsaved = false;
    // The snapshot and the last event in it are read together, because events come while the store writes.
    const eventId = through;
    const chunk = engine.snapshot();
    lastWrite = { chunk, at: now(), through: eventId };
    const saved = savedUpTo(eventId);
    // The page counts as saved, so that its events are not left to the engine of the new user.
    if (!isOurs && stored.groupSince > since) return from(saved);
    const own = { userId, page, since, points, notes, rev: chunk.rev, through: eventId, now: now() };
    return writeChunk(store, json, chunk, hostNotes(ours, stored.unlifted, own)).pipe(
      tap(() => (landed = chunk.rev)),
      mergeMap(() => [...merged, ...saved]),
    );
  };

  const write: StateWriter['write'] = (engine) =>
    // Not reported: a stored state that cannot be read was reported at load, and this write replaces it.
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
    markChanged: () => void (isUnsaved = true),
    markEvaluated: ({ id, name, time, page: owner = page }) => {
      through = id;
      if (isCached(name)) points.set(owner, [Date.parse(time), id]);
    },
    lastWrite: () => lastWrite,
    save: (engine) =>
      defer(() => {
        if (!isUnsaved) return from(savedUpTo(through));
        isUnsaved = false;
        return deps.exclusively('permutive-state', write(engine));
      }),
    write,
  };
};

/**
 * Revision of the latest write of this page that the stored state contains: what the state says of the page or, where
 * later pages have taken its place, of all others. A write that has failed is not in it, whatever the state says of
 * those. Undefined where an earlier version has written the state, which says nothing.
 */
const landedRevision = (writes: SavedPoints | undefined, page: string, landed: number): number | undefined =>
  writes && (writes.has(page) ? pointOf(writes, page)[0] : Math.min(pointOf(writes, page)[0], landed));

/**
 * Takes over what another tab has counted and published since this tab read the store. Answers messages for the page. A
 * cohort that only the other tab has entered changes the membership without a transition, because that tab has
 * published it.
 */
const takeIn = (
  { state }: StoredChunk,
  landed: number | undefined,
  engine: Engine,
  report: Report,
): readonly EngineMessage[] => {
  const merged = engine.mergeStored(state, landed);
  reportFaults(merged, report);
  const messages = messagesOf(engine, merged);
  return merged.changed.length > 0 ? [{ type: 'changed', membership: membershipOf(engine) }, ...messages] : messages;
};

/** The message that the state is saved up to this event; none before the first event. */
const savedUpTo = (eventId: string | undefined): readonly EngineMessage[] =>
  eventId === undefined ? [] : [{ type: 'saved', eventId }];

/** What this page stores beside the engine's state. */
interface OwnNotes extends Pick<Start, 'userId' | 'page'> {
  /** When the page began. */
  readonly since: number;
  readonly points: SavedPoints;
  readonly notes: Notes;
  /** The revision that is written, and the last event in it. */
  readonly rev: number;
  readonly through: string | undefined;
  readonly now: number;
}

/**
 * What the host stores beside the engine's state, under its stored names. `stored`: the state that it replaces;
 * `unlifted`: what stood there of events that the server has not counted. A state of an earlier version does not say
 * whose writes it contains, and is taken to contain all before it.
 */
const hostNotes = (
  { state, groupSince, points, writes }: StoredChunk,
  unlifted: readonly unknown[],
  { userId, page, since, notes, rev, through, now, ...own }: OwnNotes,
): HostNotes => ({
  group_id: userId,
  group_since: Math.max(since, groupSince),
  points: Object.fromEntries(mergedPoints(points, own.points, now)),
  writes: Object.fromEntries(mergedPoints(writes, new Map([[page, [rev, '']]]), Number(state?.['rev']) || 0)),
  through,
  synced_session: notes.syncedSession,
  validation: notes.validation,
  unlifted: notes.unlifted(unlifted),
});
