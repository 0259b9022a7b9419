import { catchError, defer, EMPTY, endWith, map, mergeMap, type Observable, of } from 'rxjs';
import { type Engine, init, type RuntimeInput } from '../engine/engine';
import type { EngineEvent } from '../engine/engineEvent';
import type { Bundle } from '../engine/language';
import type { Report as EngineReport } from '../engine/report';
import type { Event } from '../model/event';
import type { Json } from '../model/json';
import type { FromHost, Membership, Start, ToHost } from '../model/protocol';
import { inSlices, type Slices } from '../operators/inSlices';
import type { Report } from '../model/report';
import type { KeyValueStore } from '../platform/platform';
import { type CachedEvent, isCached } from './cachedEvent';
import type { EventsCache } from './eventsCache';
import { noChunk, readChunk, type StoredChunk, writeChunk } from './queriesChunk';

export interface EngineRunnerDeps extends Slices {
  readonly bundle: unknown;
  readonly json: Json;
  readonly newId: () => string;
  /** Does work while no other tab does work of that name. */
  readonly exclusively: <A>(name: string, work$: Observable<A>) => Observable<A>;
  readonly report: Report;
}

/** What one task led to. */
export interface Effect {
  readonly messages: readonly FromHost[];
  /** Kept for replay. */
  readonly cached?: CachedEvent;
  /** An event went through: the state may differ from what is saved. */
  readonly processed?: boolean;
  readonly flush?: boolean;
}

export interface EngineRunner {
  readonly run: (task: ToHost | 'load' | 'tick') => Observable<Effect>;
  /** Writes the state if it changed, and says up to which event. */
  readonly save: () => Observable<FromHost>;
}

/** Lookups nobody provides yet: queries that ask them are held at their stored result. */
const pendingLookups = ['geo', 'user', 'classification', 'thirdParty', 'secondParty', 'lookalike'] as const;
const nothing: Effect = { messages: [] };

/** One engine through its life: load, replay, live, save. */
export const engineRunner = (start: Start, store: KeyValueStore, cache: EventsCache, deps: EngineRunnerDeps): EngineRunner => {
  const { json, report, now } = deps;
  let engine: Engine | undefined;
  let through: string | undefined;
  let unsaved = false;

  const effectOf = (live: Engine, { transitions, errors, stateChanged }: EngineReport): Effect => {
    for (const message of errors) report(`Query Language: ${message}`);
    unsaved ||= stateChanged;
    if (transitions.length === 0) return nothing;
    return {
      messages: [
        { type: 'changed', membership: membershipOf(live) },
        { type: 'transitions', transitions: [...transitions] },
      ],
    };
  };

  const track = (live: Engine, event: Event): Effect => {
    const effect = effectOf(live, live.process([engineEvent(event)], now()));
    through = event.id;
    return { ...effect, processed: true, ...(isCached(event.name) && { cached: { ...event, cohorts: live.members() } }) };
  };

  const load = (): Observable<Effect> =>
    readChunk(store, json, report).pipe(
      // Another user's history is not this one's: the whole event store goes when the user id changes (spec C§4).
      mergeMap((chunk) => (isOf(start.userId, chunk) ? of(chunk) : cache.reset('all').pipe(endWith(noChunk)))),
      mergeMap((chunk) => cache.load().pipe(map((events) => ({ chunk, events })))),
      mergeMap(({ chunk, events }) => {
        const live = init(runtimeInput(chunk, start, deps));
        engine = live;
        const missed = missedEvents(start.unsaved, chunk.through);
        const replayed = events.filter(({ id }) => !missed.some((event) => event.id === id));
        return inSlices(() => firstSteps(live, replayed.map(engineEvent)), deps).pipe(
          mergeMap((reports) => [
            ...reports.map((each) => effectOf(live, each)),
            ...missed.map((event) => track(live, event)),
            { ...nothing, messages: [{ type: 'initialised', membership: membershipOf(live) } as const] },
          ]),
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
          return of(effectOf(engine, engine.updateContext(task.context)));
        case 'mark':
          return of<Effect>({ ...nothing, messages: [{ type: 'marked', mark: task.mark }] });
        case 'flush':
          return of<Effect>({ ...nothing, flush: true });
        default:
          return EMPTY;
      }
    });

  const save: EngineRunner['save'] = () =>
    defer(() => {
      const eventId = through;
      if (engine === undefined || eventId === undefined) return EMPTY;
      const saved: FromHost = { type: 'saved', eventId };
      if (!unsaved) return of(saved);
      unsaved = false;
      return deps.exclusively('permutive-state', writeState(engine, eventId)).pipe(mergeMap(({ messages }) => [...messages, saved]));
    });

  /** Memberships that another tab has published are taken over without a transition. */
  const merge = (live: Engine, { state }: StoredChunk): Effect => {
    const report = live.mergeStored(state);
    const { messages } = effectOf(live, report);
    return { messages: report.changed.length > 0 ? [{ type: 'changed', membership: membershipOf(live) }, ...messages] : messages };
  };

  /** Another tab may have saved since: its counts are taken in before ours are written. */
  const writeState = (live: Engine, eventId: string): Observable<Effect> =>
    readChunk(store, json, report).pipe(
      mergeMap((stored) => {
        const merged = isOf(start.userId, stored) ? merge(live, stored) : nothing;
        unsaved = false;
        return writeChunk(store, json, { ...live.snapshot(), through: eventId, group_id: start.userId }).pipe(map(() => merged));
      }),
      catchError((cause: unknown) => {
        unsaved = true;
        report('Failed to save the state', cause);
        return EMPTY;
      }),
    );

  return { run, save };
};

const isOf = (userId: string, { groupId }: StoredChunk): boolean => groupId === undefined || groupId === userId;

const runtimeInput = ({ state, eventSourceId }: StoredChunk, { context, client }: Start, { bundle, newId, now }: EngineRunnerDeps): RuntimeInput => ({
  event_source_id: eventSourceId ?? newId(),
  now: now(),
  bundle: bundle as Bundle,
  state,
  context,
  lookups: { client },
  pending: [...pendingLookups],
});

function* firstSteps(engine: Engine, events: readonly EngineEvent[]): Generator<unknown, readonly EngineReport[]> {
  const bootstrapped = yield* engine.bootstrapSteps();
  const replayed = yield* engine.replaySteps(events);
  return [bootstrapped, replayed];
}

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
