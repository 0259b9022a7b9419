import { filter, map, type Observable, type ObservableInput } from 'rxjs';

import type { Report as EngineReport } from '../engine/engine';
import type { Engine } from '../engine/engineInterface';
import type { Start } from '../model/engineCommands';
import type { EventStore } from '../platform/platform';
import type { Ask } from './ask';
import type { CachedEvent } from './cachedEvent';
import type { ClaimDeps } from './claiming';
import type { Effect, Loaded } from './effects';
import type { EngineRunner, EngineRunnerDeps } from './engineRunner';
import type { Timing } from './timing';

/** Loads the parts of the services that only some visits need. */
export interface LoadServiceParts {
  /** Cloud lift, for a visit that has something to lift. */
  readonly lift: () => ObservableInput<{
    readonly runCloudLift: (event$: Observable<CachedEvent>, served: LoadedEngine) => Observable<EngineReport>;
  }>;
  /** Explanations, for a page that asks for one. */
  readonly explanations: () => ObservableInput<typeof import('./explanations')>;
}

/** What the services share: the page's answers, randomness, timings, and the runner's own deps. */
export interface ServicesDeps extends EngineRunnerDeps, ClaimDeps {
  /** State and events of the visitor. */
  readonly store: EventStore;
  readonly ask: Ask;
  readonly load: LoadServiceParts;
  readonly random: () => number;
  /** How long each step of the engine took. Timings since the engine was opened come first. For one reader. */
  readonly timing$: Observable<Timing>;
}

/** The visit that the services work for. */
export interface ServedEngine {
  /** The message that the page has opened the visit with. */
  readonly start: Start;
  readonly runner: EngineRunner;
  readonly deps: ServicesDeps;
}

/** The same, with the engine. */
export interface LoadedEngine extends ServedEngine {
  readonly loaded: Loaded;
}

/** The same, with an engine that can exchange states with other devices. */
export interface ExchangingEngine extends ServedEngine {
  readonly loaded: Loaded & { readonly engine: Engine };
}

/** The events that the engine has evaluated, from now on, each after its evaluation. */
export const evaluatedEvents = (effect$: Observable<Effect>): Observable<CachedEvent> =>
  effect$.pipe(
    filter((effect) => effect.type === 'evaluated'),
    map(({ event }) => event),
  );
