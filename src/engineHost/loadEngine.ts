import { catchError, endWith, from, map, mergeMap, type Observable, type ObservableInput, of } from 'rxjs';

import { createEngine } from '../engine/cohortEngine';
import type { EngineEvent, LookupName, Report as EngineReport, RuntimeInput } from '../engine/engine';
import type { PageEngine as Engine } from '../engine/engineInterface';
import type { PublishedBundle, ReadDefinition } from '../engine/language/canonicalLanguage';
import type { Answered } from '../model/answered';
import type { Start, VisitContext } from '../model/engineCommands';
import type { KeptEvent, NumberedEvent } from '../model/event';
import type { Report } from '../model/report';
import { inSlices, type Slices } from '../operators/creators/inSlices';
import { firstWithin } from '../operators/firstWithin';
import { unknownAfter } from '../operators/unknownAfter';
import type { SharedStore } from '../platform/platform';
import { type CachedEvent, engineEvent, mergedById } from './cachedEvent';
import { isCounted, nothingCounted } from './counted';
import { endedPages } from './endedPages';
import type { EventsCache } from './eventsCache';
import { leftEvents, type LeftEventsDeps } from './leftEvents';
import { isOfUser, noChunk, readChunk, type StoredChunk } from './queriesChunk';
import { startTiming, type TimingDeps } from './timing';
import { endedEvents } from './unprocessed';

/** The stores of the visitor's history, and the definitions that it is evaluated with. */
export interface LoadDeps extends Slices, TimingDeps, LeftEventsDeps {
  /** Holds the queries chunk. */
  readonly store: SharedStore;
  /** Holds the events of earlier pages. */
  readonly cache: EventsCache;
  /** The project's query definitions. */
  readonly bundle: PublishedBundle;
  /** Reads one definition of the bundle. */
  readonly read: ReadDefinition;
  readonly report: Report;
  /** Only the first page after an older version recounts, so that is in the chunk of the services. */
  readonly loadRecount: () => ObservableInput<{ readonly recountable: Recountable }>;
}

type Recountable = typeof import('./recount').recountable;

/** How long a start waits for the code that recounts. Without it, the state stays as it is. */
const maxRecountWaitMs = 1000;

/** A new engine, and the visitor's history that it has to catch up with. */
export interface OpenedEngine {
  readonly engine: Engine;
  /** The stored chunk as it was read; `noChunk` for a new visitor. */
  readonly chunk: StoredChunk;
  /** Events from the cache, oldest first: their effects are in the stored state. */
  readonly cached: readonly CachedEvent[];
  /**
   * Events that the stored state does not contain, oldest first: earlier pages could not save them, or pages in other
   * tabs have not saved them yet.
   */
  readonly unseen: readonly NumberedEvent[];
  /** Pages that have ended, of those that have transitions to tell. */
  readonly ended: ReadonlySet<string>;
  /** Whether it is known which events earlier pages have told. */
  readonly isJournalRead: boolean;
  /** Provisional events of this page that the engine of another user was told. */
  readonly provisional: readonly NumberedEvent[];
  /**
   * What an engine would be given if it started at this moment, without the state. Validation builds its own engine
   * from it.
   */
  readonly input: () => RuntimeInput;
}

/**
 * A page waits so long for the visitor's history before it hears that this is unknown. Until then, a store that fails
 * has given way to local storage, where that may stand in.
 */
const unreadAfterMs = 2000;

/**
 * Reads the stored state and events of the visitor, and makes an engine. No query is evaluated yet. Emits that it is
 * unknown where the history could not be read in time, and the engine once it could: without its history, an engine
 * would take a visitor for a new one.
 */
export const openEngine = (
  start: Start,
  context: () => VisitContext,
  deps: LoadDeps,
): Observable<Answered<OpenedEngine>> =>
  readHistory(start, deps).pipe(
    map((history) => openedEngine(history, start, context, deps)),
    unknownAfter(unreadAfterMs),
  );

const openedEngine = (
  { chunk, events, left, isJournalRead, completions, ended }: History,
  start: Start,
  context: () => VisitContext,
  deps: LoadDeps,
): OpenedEngine => {
  const eventSourceId = chunk.eventSourceId ?? start.newSourceId;
  const input = (): RuntimeInput => runtimeInput(eventSourceId, context(), start, deps);
  const unseen = mergedById(unseenEvents(chunk, events, left, start), completions);
  const unseenIds = new Set(unseen.map(({ id }) => id));
  return {
    // What was counted under an id that is no UUID goes on under the new one.
    engine: createEngine(
      { ...input(), state: chunk.state && { ...chunk.state, 'event-source-id': eventSourceId } },
      deps.read,
    ),
    chunk,
    // The engine evaluates the unseen ones. Those here are in the state, and only rebuild what has no state.
    cached: events.filter(({ id }) => !unseenIds.has(id)),
    unseen,
    ended,
    isJournalRead,
    provisional: left.filter(({ provisional, page }) => provisional === true && page === start.page),
    input,
  };
};

/**
 * Lets a new engine catch up, in slices of 50 ms: bootstrap compiles the definitions and evaluates the stored state;
 * replay rebuilds changed queries from the cached events. Emits both reports, then completes.
 */
export const catchUp = (opened: OpenedEngine, deps: LoadDeps): Observable<readonly EngineReport[]> =>
  recountOf(opened, deps).pipe(
    mergeMap((recountable) => inSlices(() => catchUpSteps(opened, recountable, deps), deps)),
  );

/**
 * Finds the queries that are counted anew, once: older versions counted some events twice. Null where nothing is, and
 * where the code for it could not be loaded in time; the services report why.
 */
const recountOf = (
  { chunk: { state, counted } }: OpenedEngine,
  { loadRecount }: LoadDeps,
): Observable<Recountable | null> =>
  state === null || counted !== undefined
    ? of(null)
    : from(loadRecount()).pipe(
        map(({ recountable }) => recountable),
        firstWithin(maxRecountWaitMs),
        catchError(() => of(null)),
      );

/** What is stored of the visitor. */
interface History extends Pick<OpenedEngine, 'ended' | 'isJournalRead'> {
  readonly chunk: StoredChunk;
  readonly events: readonly CachedEvent[];
  /** What ended pages have left in the journal, and what this page has told the engine of another user. */
  readonly left: readonly NumberedEvent[];
  /** Provisional events of pages that have ended. */
  readonly completions: readonly NumberedEvent[];
}

/**
 * Reads the events that are cached and those that were left, and then the queries chunk. The chunk comes last, because
 * other tabs may start too: an event that another engine has counted meanwhile is left no more, and is in the chunk.
 */
const readHistory = (start: Start, deps: LoadDeps): Observable<History> => {
  const { userId, page } = start;
  const { store, cache, json, report, hold } = deps;
  return cache.load().pipe(
    mergeMap((events) => leftEvents(start, deps).pipe(map((left) => ({ events, left })))),
    mergeMap(({ events, left }) => {
      const found = { isJournalRead: left.isKnown, left: [...start.given, ...(left.isKnown ? left.value : [])] };
      return readChunk(store, json, report).pipe(
        // The history of another user must not count for this one, so the whole event store is erased when the user id
        // changes (spec C§4).
        mergeMap((chunk) =>
          isOfUser(userId, chunk)
            ? of({ ...found, events, chunk })
            : cache.reset().pipe(
                // This page's user came after the one who was found, also where the clock has been set back since.
                endWith({ ...found, events: [], chunk: { ...noChunk, groupSince: chunk.groupSince + 1 } }),
              ),
        ),
      );
    }),
    mergeMap((history) => endedEvents(history, page, hold).pipe(map((completions) => ({ ...history, completions })))),
    mergeMap((history) => {
      const owners = Object.keys(history.chunk.untold);
      // Without locks nobody knows which pages have ended.
      const ended$ = hold === null ? of(new Set(owners)) : endedPages(owners, hold);
      return ended$.pipe(map((ended) => ({ ...history, ended })));
    }),
  );
};

/** The steps of catching up, each of them timed as a whole. */
function* catchUpSteps(
  { engine, cached }: OpenedEngine,
  recountable: Recountable | null,
  deps: TimingDeps,
): Generator<unknown, readonly EngineReport[]> {
  const events = cached.map(engineEvent);
  const stopBootstrap = startTiming('bootstrap', deps);
  const bootstrapped = yield* engine.bootstrapSteps();
  stopBootstrap();
  const stopReplay = startTiming('replay', deps);
  const replayed = yield* engine.replaySteps(
    events,
    recountable === null ? undefined : rebuiltQueries(engine, recountable, events),
  );
  stopReplay();
  return [bootstrapped, replayed];
}

/** The queries that have to be rebuilt, and those that are recounted. */
const rebuiltQueries = (
  { parts: { life, machine } }: Engine,
  recountable: Recountable,
  events: readonly EngineEvent[],
): ReadonlySet<string> => {
  life.wakeAll();
  return new Set([...life.unbuilt, ...recountable(machine, events)].map(({ id }) => id));
};

const runtimeInput = (
  eventSourceId: string,
  context: VisitContext,
  { client, hasModels, lookups }: Start,
  { bundle, now }: LoadDeps,
): RuntimeInput => {
  const pending: readonly LookupName[] = hasModels ? [...lookups, 'lookalike'] : lookups;
  const values = { geo: {}, classification: {}, user: {}, thirdParty: {}, secondParty: {}, lookalike: [], client };
  return {
    event_source_id: eventSourceId,
    now: now(),
    bundle,
    state: null,
    context,
    // What nobody is to provide is empty from the start, because a pending lookup would hold its queries for ever.
    lookups: { ...values, ...Object.fromEntries(pending.map((name) => [name, undefined])) },
    pending,
  };
};

/**
 * The events that the stored state does not contain: of those that earlier pages have left, and of those that are
 * cached. A state of an older version does not say which events it contains. Such a state contains all cached events,
 * and none of those that pages of this version have left.
 */
const unseenEvents = (
  { state, counted }: StoredChunk,
  events: readonly CachedEvent[],
  left: readonly NumberedEvent[],
  { page }: Pick<Start, 'page'>,
): readonly NumberedEvent[] => {
  if (state !== null && counted === undefined) return left.filter(({ provisional }) => provisional !== true);
  const isUnseen = (event: KeptEvent): event is NumberedEvent =>
    event.provisional !== true && !isCounted(counted ?? nothingCounted, event, page);
  // The cached form of an event, which comes last, has the values that it was evaluated with.
  return mergedById([...left, ...events].filter(isUnseen));
};
