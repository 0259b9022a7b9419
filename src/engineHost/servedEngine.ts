import { filter, map, type Observable } from 'rxjs';

import type { Engine } from '../engine/engineInterface';
import type { Start } from '../model/engineCommands';
import type { EventStore } from '../platform/platform';
import type { Ask } from './ask';
import type { CachedEvent } from './cachedEvent';
import type { ClaimDeps } from './claiming';
import type { Effect, Loaded } from './effects';
import type { EngineRunner, EngineRunnerDeps } from './engineRunner';
import type { Timing } from './timing';

/** What the services share: the page's answers, randomness, timings, and the runner's own deps. */
export interface ServicesDeps extends EngineRunnerDeps, ClaimDeps {
  /** State and events of the visitor. */
  readonly store: EventStore;
  readonly ask: Ask;
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

/** The same, with an engine that can exchange states with servers. */
export interface ExchangingEngine extends ServedEngine {
  readonly loaded: Loaded & { readonly engine: Engine };
}

/** The events that the engine has evaluated, from now on, each after its evaluation. */
export const evaluatedEvents = (effect$: Observable<Effect>): Observable<CachedEvent> =>
  effect$.pipe(
    filter((effect) => effect.type === 'evaluated'),
    map(({ event }) => event),
  );
