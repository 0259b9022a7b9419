import { catchError, defer, EMPTY, endWith, finalize, ignoreElements, map, mergeMap, type Observable, of } from 'rxjs';

import { createEngine } from '../engine/cohortEngine';
import type { Bundle, EngineEvent, LookupName, Report as EngineReport, RuntimeInput } from '../engine/engine';
import type { PageEngine as Engine } from '../engine/engineInterface';
import type { EngineCommand, EngineMessage, Membership, Start, VisitContext } from '../model/engineCommands';
import type { Event } from '../model/event';
import type { Json } from '../model/json';
import type { Report } from '../model/report';
import { inSlices, type Slices } from '../operators/creators/inSlices';
import type { KeyValueStore } from '../platform/platform';
import { type CachedEvent, isCached } from './cachedEvent';
import type { EventsCache } from './eventsCache';
import { noChunk, readChunk, type StoredChunk, writeChunk } from './queriesChunk';
import type { StoredState } from './validation';

export interface EngineRunnerDeps extends Slices {
  /** The project's query definitions. */
  readonly bundle: Bundle;
  readonly json: Json;
  /** Does work while no other tab does work of that name. */
  readonly exclusively: <A>(name: string, work$: Observable<A>) => Observable<A>;
  readonly report: Report;
}

/** What one task, or an answer of the server, led to. */
export interface Effect {
  readonly messages: readonly EngineMessage[];
  /** An event that went through. */
  readonly event?: CachedEvent;
  readonly stateChanged?: boolean;
  readonly flush?: boolean;
  /** Data has come that queries asked for. */
  readonly provided?: boolean;
  /** Somebody wants to know why. */
  readonly asked?: { readonly request: number; readonly id: string };
  /** The engine is ready. */
  readonly loaded?: Loaded;
}

/** An engine that has caught up, and what it was made of. */
export interface Loaded {
  readonly engine: Engine;
  readonly chunk: StoredChunk;
  readonly eventSourceId: string;
  /** Stores a new source, and completes: the server must not know of one that this browser may still lose. */
  readonly sourceStored$: Observable<never>;
  /** What the visitor did on pages before this one, oldest first. */
  readonly past: readonly CachedEvent[];
  /** Of that, what the last page could not see saved: only now evaluated here, and nowhere else yet. */
  readonly missed: readonly CachedEvent[];
  /** Session and view of this moment. */
  readonly context: () => VisitContext;
  /** What the engine would be given if it started now, without its state. */
  readonly input: () => RuntimeInput;
}

export interface EngineRunner {
  readonly run: (task: EngineCommand | 'load' | 'tick') => Observable<Effect>;
  /** What a report of the engine means for page and store. */
  readonly effectOf: (engine: Engine, report: EngineReport) => Effect;
  /** What was written last. */
  readonly stored: () => StoredState | undefined;
  /** To be stored with the state. */
  readonly note: (notes: Partial<Notes>) => void;
  /** Writes the state if it changed, and says up to which event. */
  readonly save: () => Observable<EngineMessage>;
  /** What each step took, for the one who takes it out. */
  readonly timings: Timing[];
}

/** What the services remember from page to page. */
export interface Notes extends Pick<StoredChunk, 'syncedSession' | 'validation'> {
  /** What the server has not counted yet, given what is stored: other tabs have theirs there. */
  readonly unlifted: (stored: readonly unknown[]) => readonly unknown[];
}

export type Timing = readonly [step: 'bootstrap' | 'replay' | 'event' | 'save', ms: number];

/** Timings kept where nobody takes them (spec C§9). */
const maxTimings = 10_000;

/** Lookups that the page provides, by a `data` message: until it does, queries that ask them are held at their stored result. */
const pendingLookups: readonly LookupName[] = ['geo', 'classification'];
/** Lookups that nobody provides: nothing is known, and no query waits for it. Whoever comes to send one makes it pending. */
const emptyLookups = { user: {}, thirdParty: {}, secondParty: {} };
const nothing: Effect = { messages: [] };

/** One engine through its life: load, replay, live, save. */
export const engineRunner = (
  start: Start,
  store: KeyValueStore,
  cache: EventsCache,
  deps: EngineRunnerDeps,
): EngineRunner => {
  const { json, report, now } = deps;
  let engine: Engine | undefined;
  let context: VisitContext = start.context;
  let through: string | undefined;
  let unsaved = false;
  let notes: Notes = { ...noChunk, unlifted: (stored) => stored };
  let lastWrite: StoredState | undefined;
  const timings: Timing[] = [];

  const took = (step: Timing[0], from: number): void => {
    if (timings.length < maxTimings) timings.push([step, now() - from]);
  };

  const effectOf: EngineRunner['effectOf'] = (live, { transitions, errors, stateChanged }) => {
    for (const message of errors) report(`Query Language: ${message}`);
    unsaved ||= stateChanged;
    if (transitions.length === 0) return stateChanged ? { messages: [], stateChanged } : nothing;
    return {
      messages: [
        { type: 'changed', membership: membershipOf(live) },
        { type: 'transitions', transitions: [...transitions] },
      ],
      stateChanged,
    };
  };

  const track = (live: Engine, event: Event) => {
    const from = now();
    const effect = effectOf(live, live.process([engineEvent(event)], from));
    through = event.id;
    took('event', from);
    return { ...effect, event: { ...event, cohorts: isCached(event.name) ? live.members() : [] } };
  };

  function* firstSteps(live: Engine, events: readonly EngineEvent[]): Generator<unknown, readonly EngineReport[]> {
    const from = now();
    const bootstrapped = yield* live.bootstrapSteps();
    took('bootstrap', from);
    const replayFrom = now();
    const replayed = yield* live.replaySteps(events);
    took('replay', replayFrom);
    return [bootstrapped, replayed];
  }

  const load = (): Observable<Effect> =>
    readChunk(store, json, report).pipe(
      // Another user's history is not this one's: the whole event store goes when the user id changes (spec C§4).
      mergeMap((chunk) => (isOf(start.userId, chunk) ? of(chunk) : cache.reset('all').pipe(endWith(noChunk)))),
      mergeMap((chunk) => cache.load().pipe(map((events) => ({ chunk, events })))),
      mergeMap(({ chunk, events }) => {
        const eventSourceId = chunk.eventSourceId ?? start.newSourceId;
        const input = (): RuntimeInput => runtimeInput(eventSourceId, context, start, deps);
        const live = createEngine({ ...input(), state: chunk.state });
        engine = live;
        unsaved = chunk.eventSourceId === undefined;
        notes = { ...chunk, unlifted: notes.unlifted };
        const unseen = missedEvents(start.unsaved, chunk.through);
        const cached = events.filter(({ id }) => !unseen.some((event) => event.id === id));
        return inSlices(() => firstSteps(live, cached.map(engineEvent)), deps).pipe(
          mergeMap((reports): Effect[] => {
            const replayed = reports.map((each) => effectOf(live, each));
            const tracked = unseen.map((event) => track(live, event));
            const missed = tracked.map(({ event }) => event);
            const effects = [...replayed, ...tracked];
            const transitions = effects.flatMap(({ messages }) =>
              messages.flatMap((message) => (message.type === 'transitions' ? message.transitions : [])),
            );
            // Told together: what the last page has told of it, this one must leave out.
            return [
              ...effects.map((effect) => ({ ...effect, messages: [] })),
              {
                messages: [
                  {
                    type: 'initialised',
                    membership: membershipOf(live),
                    migrated: live.stateMigratedThisInitialisation,
                    transitions,
                  },
                ],
                loaded: {
                  engine: live,
                  chunk,
                  eventSourceId,
                  sourceStored$: chunk.eventSourceId === undefined ? writeState(live).pipe(ignoreElements()) : EMPTY,
                  past: [...cached, ...missed],
                  missed,
                  input,
                  context: () => context,
                },
              },
            ];
          }),
        );
      }),
    );

  const run: EngineRunner['run'] = (task) =>
    defer(() => {
      if (task === 'load') return load();
      if (engine === undefined) return EMPTY;
      if (task === 'tick') return of(effectOf(engine, engine.tick(now())));
      switch (task.type) {
        case 'track':
          return of(track(engine, task.event));
        case 'context':
          context = task.context;
          return of(effectOf(engine, engine.updateContext(context)));
        case 'data':
          return of({ ...effectOf(engine, engine.updateData(task.patch)), provided: true });
        case 'barrier':
          return of<Effect>({ messages: [{ type: 'barrierReached', name: task.name }] });
        case 'explain':
          return of<Effect>({ messages: [], asked: { request: task.request, id: task.id } });
        case 'flush':
          return of<Effect>({ messages: [], flush: true });
        default:
          return EMPTY;
      }
    });

  const save: EngineRunner['save'] = () =>
    defer(() => {
      if (engine === undefined) return EMPTY;
      if (!unsaved) return through === undefined ? EMPTY : of<EngineMessage>({ type: 'saved', eventId: through });
      unsaved = false;
      return deps.exclusively('permutive-state', writeState(engine));
    });

  /** Memberships that another tab has published are taken over without a transition. */
  const merge = (live: Engine, { state }: StoredChunk): Effect => {
    const merged = live.mergeStored(state);
    const { messages } = effectOf(live, merged);
    return {
      messages:
        merged.changed.length > 0 ? [{ type: 'changed', membership: membershipOf(live) }, ...messages] : messages,
    };
  };

  /** Another tab may have saved since: its counts are taken in before ours are written. */
  const writeState = (live: Engine): Observable<EngineMessage> =>
    defer(() => {
      const from = now();
      return mergedWrite(live).pipe(finalize(() => took('save', from)));
    });

  const mergedWrite = (live: Engine): Observable<EngineMessage> =>
    // What cannot be read was reported at load, and is about to be replaced.
    readChunk(store, json, () => undefined).pipe(
      mergeMap((stored) => {
        const { messages } = isOf(start.userId, stored) ? merge(live, stored) : nothing;
        unsaved = false;
        // Together: the last event, and the state that has it.
        const eventId = through;
        const chunk = live.snapshot();
        lastWrite = { chunk, at: now(), through: eventId };
        const { syncedSession: synced_session, validation } = notes;
        const saved: readonly EngineMessage[] = eventId === undefined ? [] : [{ type: 'saved', eventId }];
        return writeChunk(store, json, {
          ...chunk,
          through: eventId,
          group_id: start.userId,
          synced_session,
          validation,
          unlifted: notes.unlifted(stored.unlifted),
        }).pipe(mergeMap(() => [...messages, ...saved]));
      }),
      catchError((cause: unknown) => {
        unsaved = true;
        report('Failed to save the state', cause);
        return EMPTY;
      }),
    );

  return {
    run,
    effectOf,
    stored: () => lastWrite,
    note: (more) => {
      notes = { ...notes, ...more };
      unsaved = true;
    },
    save,
    timings,
  };
};

const isOf = (userId: string, { groupId }: StoredChunk): boolean => groupId === undefined || groupId === userId;

const runtimeInput = (
  eventSourceId: string,
  context: VisitContext,
  { client, hasModels }: Start,
  { bundle, now }: EngineRunnerDeps,
): RuntimeInput => ({
  event_source_id: eventSourceId,
  now: now(),
  bundle,
  state: null,
  context,
  lookups: { ...emptyLookups, client, ...(!hasModels && { lookalike: [] }) },
  pending: hasModels ? [...pendingLookups, 'lookalike'] : [...pendingLookups],
});

/** Of what the last page could not see saved, the part that was not. */
const missedEvents = (unsaved: readonly Event[], through: string | undefined): readonly Event[] =>
  unsaved.slice(unsaved.findIndex(({ id }) => id === through) + 1);

const membershipOf = (engine: Engine): Membership => ({ members: engine.members(), activations: engine.activations() });

const engineEvent = ({ name, time, properties, session_id, view_id }: Omit<Event, 'id'>): EngineEvent => ({
  name,
  time: Date.parse(time),
  properties,
  session_id,
  view_id,
});
