import {
  concat,
  concatMap,
  defer,
  EMPTY,
  filter,
  from,
  map,
  mergeMap,
  type Observable,
  of,
  startWith,
  tap,
} from 'rxjs';

import type { LiftMethods, PageEngine } from '../engine/engineInterface';
import type { EngineReport } from '../engine/evaluate/report';
import type { Definition, Id } from '../engine/language/language';
import type { Event } from '../model/event';
import { inSlices } from '../operators/creators/inSlices';
import { exhaustLatest } from '../operators/exhaustLatest';
import { times } from '../primitives/lists';
import {
  type CountedStates,
  countEvents,
  type LiftedPart,
  type LiftedQueries,
  liftedQueries,
  type LiftServerDeps,
} from './liftServer';

/** Events of one request (spec S§7). */
const maxEvents = 50;

/** The part of the project's bundle that cloud lift needs. */
export interface LiftedBundle {
  /** Id of the bundle, `qid` on the wire. */
  readonly id: string;
  /** Names of the events that are evaluated on the server. */
  readonly events: readonly string[];
  /** The queries that the page has. Definitions of other lifted queries are downloaded by id. */
  readonly ids: readonly Id[];
}

/** An engine that takes what the server has counted. */
type LiftingEngine = Pick<PageEngine, 'unknownIds'> & LiftMethods;

/** The engine whose lifted queries are kept current, and the visitor's history. */
export interface LiftedEngine {
  readonly engine: LiftingEngine;
  readonly bundle: LiftedBundle;
  /** Checksums of the stored states. */
  readonly storedChecksums: ReadonlyMap<Id, string | undefined>;
  /** Events of the pages before this one, oldest first. */
  readonly past: readonly Event[];
  /** The server has not counted this past event yet. */
  readonly isUnlifted: (event: Event) => boolean;
  /**
   * Called at once, and then at each change, with the events that the server has not counted. The caller stores them
   * together with the counts of the other events.
   */
  readonly onWaiting: (events: readonly Event[]) => void;
}

/**
 * Cloud lift: the rules of some queries stay on the server (spec S§7). The page posts the events that those queries
 * count, and the server answers, for each query, the state of the posted events alone. The page appends that state to
 * its own and evaluates the query like any other.
 *
 * Appending is not idempotent, so each event must be counted exactly once. There is one request at a time, in the order
 * of the events, and an event leaves the list of waiting events only when its count is appended. Emits the engine's
 * report of each answer; never errors.
 */
export const cloudLift = (
  event$: Observable<Event>,
  lifted: LiftedEngine,
  deps: LiftServerDeps,
): Observable<EngineReport> =>
  defer(() => {
    const { bundle, past, isUnlifted, onWaiting } = lifted;
    const isLifted = ({ name }: Event): boolean => bundle.events.includes(name);
    // Past events are in two groups: those that the server has counted, and those that are still to be counted.
    const liftedPast = past.filter(isLifted);
    const countedPast = liftedPast.filter((event) => !isUnlifted(event));
    const waiting = waitingEvents(liftedPast.filter(isUnlifted), onWaiting);
    const queries = liftedQueries(bundle.id, bundle.ids, deps);
    return event$.pipe(
      filter(isLifted),
      tap(waiting.add),
      startWith(null),
      // The first run restores the stored queries. Events that come meanwhile wait for the next run.
      exhaustLatest((event) =>
        concat(
          event === null ? restoreQueries(lifted, countedPast, queries, deps) : EMPTY,
          liftWaiting(lifted, waiting, queries, deps),
        ),
      ),
    );
  });

/** Makes the list and hands it to `onWaiting` at once, so that the initial events are stored too. */
const waitingEvents = (initial: readonly Event[], onWaiting: LiftedEngine['onWaiting']) => {
  let events: readonly Event[] = [];
  const set = (changed: readonly Event[]): void => {
    events = changed;
    onWaiting(changed);
  };
  set(initial);
  return {
    /** The oldest events, at most `count` of them. */
    first: (count: number): readonly Event[] => events.slice(0, count),
    add: (event: Event): void => set([...events, event]),
    /** Removes the oldest `count` events. */
    drop: (count: number): void => set(events.slice(count)),
  };
};

/** The list of events that the server has not counted yet, oldest first. */
type WaitingEvents = ReturnType<typeof waitingEvents>;

/** Posts waiting events in batches of `maxEvents`, one batch after another, until none waits. */
const liftWaiting = (
  lifted: LiftedEngine,
  waiting: WaitingEvents,
  queries: LiftedQueries,
  deps: LiftServerDeps,
): Observable<EngineReport> =>
  defer(() => {
    const events = waiting.first(maxEvents);
    if (events.length === 0) return EMPTY;
    const counted$ = countEvents(lifted.bundle.id, events, deps);
    return concat(
      counted$.pipe(
        concatMap((counted) => appendCounted(counted, lifted, queries, deps)),
        // The events leave the list in the step that appends their count, so a stored state has either the event or its
        // count.
        map(({ report, count }) => {
          waiting.drop(count);
          return report;
        }),
      ),
      liftWaiting(lifted, waiting, queries, deps),
    );
  });

/** Appends what the server counted, after downloading the definitions that the page does not have. */
const appendCounted = (
  { states, count }: LiftedPart,
  { engine }: LiftedEngine,
  queries: LiftedQueries,
  deps: LiftServerDeps,
): Observable<{ readonly report: EngineReport; readonly count: number }> => {
  // Once definitions arrive, the engine forgets stored states that are left without one, so those ids are asked for
  // too.
  const missing = queries.missing(Object.keys(states));
  const definitions$ =
    missing.length === 0 ? of([]) : queries.download([...new Set([...missing, ...engine.unknownIds()])]);
  return definitions$.pipe(
    mergeMap((definitions) => append(engine, states, definitions, deps)),
    map((report) => ({ report, count })),
  );
};

/**
 * Downloads the queries that have a stored state and no definition in the bundle. Where the meaning of one has changed,
 * the server counts the past events again for it.
 */
const restoreQueries = (
  { engine, bundle, storedChecksums }: LiftedEngine,
  countedPast: readonly Event[],
  queries: LiftedQueries,
  deps: LiftServerDeps,
): Observable<EngineReport> =>
  defer(() => {
    const ids = engine.unknownIds();
    if (ids.length === 0) return EMPTY;
    return queries.download(ids).pipe(
      mergeMap((definitions) => {
        // A checksum that differs means that the query has another meaning, so its stored counts are void.
        const changed = new Set(
          definitions.filter(({ id, checksum }) => storedChecksums.get(id) !== checksum).map(({ id }) => id),
        );
        return concat(
          append(engine, {}, definitions, deps),
          from(changed.size === 0 ? [] : inBatches(countedPast)).pipe(
            concatMap((events) => countEvents(bundle.id, events, deps)),
            // Queries whose stored state is still valid have these events in it already.
            concatMap(({ states }) => append(engine, statesOf(states, changed), [], deps)),
          ),
        );
      }),
    );
  });

/**
 * Appends states, in slices of 50 ms. Messages about appending are reported under their own name; the others are left
 * in the report.
 */
const append = (
  engine: LiftingEngine,
  states: CountedStates,
  definitions: readonly Definition[],
  deps: LiftServerDeps,
): Observable<EngineReport> =>
  inSlices(() => engine.appendLiftedSteps(states, definitions), deps).pipe(
    tap(({ appendErrors }) => appendErrors.forEach((message) => deps.report(message))),
  );

/** Events in groups of `maxEvents`, in order. */
const inBatches = (events: readonly Event[]): readonly (readonly Event[])[] =>
  times(Math.ceil(events.length / maxEvents), (i) => events.slice(i * maxEvents, (i + 1) * maxEvents));

/** The states of these queries only. */
const statesOf = (states: CountedStates, ids: ReadonlySet<Id>): CountedStates =>
  Object.fromEntries(Object.entries(states).filter(([id]) => ids.has(id)));
