import {
  catchError,
  endWith,
  from,
  map,
  merge,
  mergeMap,
  type Observable,
  type ObservableInput,
  of,
  take,
  timer,
} from 'rxjs';

import { createEngine } from '../engine/cohortEngine';
import type { Bundle, EngineEvent, LookupName, Report as EngineReport, RuntimeInput } from '../engine/engine';
import type { PageEngine as Engine } from '../engine/engineInterface';
import type { ReadDefinition } from '../engine/language/canonicalLanguage';
import type { Start, VisitContext } from '../model/engineCommands';
import type { Event } from '../model/event';
import type { Json } from '../model/json';
import type { Report } from '../model/report';
import { inSlices, type Slices } from '../operators/creators/inSlices';
import type { KeyValueStore } from '../platform/platform';
import { type CachedEvent, mergedById } from './cachedEvent';
import type { ClaimDeps } from './claiming';
import type { EventsCache } from './eventsCache';
import { isOfUser, noChunk, readChunk, type StoredChunk } from './queriesChunk';
import { eventsAfter, pageOf } from './savedPoints';
import { startTiming, type TimingDeps } from './timing';

/** The stores of the visitor's history, and the definitions that it is evaluated with. */
export interface LoadDeps extends Slices, TimingDeps, ClaimDeps {
  /** Holds the queries chunk. */
  readonly store: KeyValueStore;
  /** Holds the events of earlier pages. */
  readonly cache: EventsCache;
  /** The project's query definitions. */
  readonly bundle: Bundle;
  /** Takes one of them. */
  readonly read: ReadDefinition;
  readonly json: Json;
  readonly report: Report;
  /** Few visits need the claim of missed events, so it is in the chunk of the services. */
  readonly loadClaiming: () => ObservableInput<{ readonly claiming: Claiming }>;
}

type Claiming = typeof import('./claiming').claiming;

/** How long a start waits for the claim. Without it, the missed events are left to the next page. */
const maxClaimWaitMs = 1000;

/** A new engine, and the visitor's history that it has to catch up with. */
export interface OpenedEngine {
  readonly engine: Engine;
  /** The stored chunk as it was read; `noChunk` for a new visitor. */
  readonly chunk: StoredChunk;
  /** Id of this browser's state among the visitor's devices: the stored one, or the one that the page made. */
  readonly eventSourceId: string;
  /** Events from the cache, oldest first: their effects are in the stored state. */
  readonly cached: readonly CachedEvent[];
  /** Events of earlier pages whose effects are not in the stored state, oldest first. */
  readonly unseen: readonly Event[];
  /** Those of `unseen` whose page has crashed. */
  readonly missed: readonly CachedEvent[];
  /**
   * What an engine would be given if it started at this moment, without the state. Validation builds its own engine
   * from it.
   */
  readonly input: () => RuntimeInput;
}

/**
 * Reads the stored state and events of the visitor, makes an engine, and emits what `work` does with it. Nothing is
 * evaluated before. Events of pages that have crashed are this engine's alone until the work is done.
 */
export const openEngine = <A>(
  start: Start,
  context: () => VisitContext,
  deps: LoadDeps,
  work: (opened: OpenedEngine) => Observable<A>,
): Observable<A> =>
  readHistory(start, deps).pipe(
    mergeMap(({ chunk, events }) => {
      const open = (stored: StoredChunk, missed: readonly CachedEvent[]): Observable<A> =>
        work(openedEngine({ chunk: stored, events, missed }, start, context, deps));
      const missed = eventsAfter(chunk.points, events);
      // Nearly all pages have saved everything.
      if (missed.length === 0) return open(chunk, missed);
      const claimed = (gone: ReadonlySet<string>): Observable<A> =>
        // Read again: until the claim, another page may have counted them.
        readChunk(deps.store, deps.json, deps.report).pipe(
          mergeMap((found) => {
            const stored = isOfUser(start.userId, found) ? found : chunk;
            return open(
              stored,
              eventsAfter(stored.points, events).filter((event) => gone.has(pageOf(event))),
            );
          }),
        );
      return loadedClaim(deps).pipe(
        mergeMap((claiming) => claiming?.(start.page, missed, deps, claimed) ?? open(chunk, [])),
      );
    }),
  );

/** The claim of missed events; null where it could not be loaded in time. The services report why. */
const loadedClaim = ({ loadClaiming }: LoadDeps): Observable<Claiming | null> =>
  merge(from(loadClaiming()).pipe(map(({ claiming }) => claiming)), timer(maxClaimWaitMs).pipe(map(() => null))).pipe(
    take(1),
    catchError(() => of(null)),
  );

const openedEngine = (
  { chunk, events, missed }: History & Pick<OpenedEngine, 'missed'>,
  start: Start,
  context: () => VisitContext,
  deps: LoadDeps,
): OpenedEngine => {
  const eventSourceId = chunk.eventSourceId ?? start.newSourceId;
  const input = (): RuntimeInput => runtimeInput(eventSourceId, context(), start, deps);
  const unseen = mergedById<Event>(missed, unseenEvents(start.unsaved, chunk.through));
  const unseenIds = new Set(unseen.map(({ id }) => id));
  return {
    engine: createEngine({ ...input(), state: chunk.state }, deps.read),
    chunk,
    eventSourceId,
    // A page may have cached an event and gone before it saved the state. That event is evaluated, not replayed.
    cached: events.filter(({ id }) => !unseenIds.has(id)),
    unseen,
    missed,
    input,
  };
};

/**
 * Lets a new engine catch up, in slices of 50 ms: bootstrap compiles the definitions and evaluates the stored state;
 * replay rebuilds changed queries from the cached events. Emits both reports, then completes.
 */
export const catchUp = ({ engine, cached }: OpenedEngine, deps: LoadDeps): Observable<readonly EngineReport[]> =>
  inSlices(() => catchUpSteps(engine, cached.map(engineEvent), deps), deps);

/** What is stored of the visitor. */
interface History {
  readonly chunk: StoredChunk;
  readonly events: readonly CachedEvent[];
}

/** Reads the queries chunk, then the events cache. The chunk comes first, because it says whose events these are. */
const readHistory = ({ userId }: Start, { store, cache, json, report }: LoadDeps): Observable<History> =>
  readChunk(store, json, report).pipe(
    // The history of another user must not count for this one, so the whole event store is erased when the user id
    // changes (spec C§4).
    mergeMap((chunk) => (isOfUser(userId, chunk) ? of(chunk) : cache.reset('all').pipe(endWith(noChunk)))),
    mergeMap((chunk) => cache.load().pipe(map((events) => ({ chunk, events })))),
  );

/** The steps of catching up, each of them timed as a whole. */
function* catchUpSteps(
  engine: Engine,
  events: readonly EngineEvent[],
  deps: TimingDeps,
): Generator<unknown, readonly EngineReport[]> {
  const stopBootstrap = startTiming('bootstrap', deps);
  const bootstrapped = yield* engine.bootstrapSteps();
  stopBootstrap();
  const stopReplay = startTiming('replay', deps);
  const replayed = yield* engine.replaySteps(events);
  stopReplay();
  return [bootstrapped, replayed];
}

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
 * Events the last page left unconfirmed that are not in the stored state: those after the event `through`. Where that
 * event is not among them, all of them came after it.
 */
const unseenEvents = (unsaved: readonly Event[], through: string | undefined): readonly Event[] =>
  unsaved.slice(unsaved.findIndex(({ id }) => id === through) + 1);

/** An event in the engine's form: its time is a number, and it has no id. */
export const engineEvent = ({ name, time, properties, session_id, view_id }: Omit<Event, 'id'>): EngineEvent => ({
  name,
  time: Date.parse(time),
  properties,
  session_id,
  view_id,
});
