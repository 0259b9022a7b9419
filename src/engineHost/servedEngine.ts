import { filter, map, type Observable } from 'rxjs';

import type { Engine } from '../engine/engineInterface';
import type { Start } from '../model/engineCommands';
import type { Ask } from './ask';
import type { CachedEvent } from './cachedEvent';
import type { Effect, Loaded } from './effects';
import type { EngineRunner, EngineRunnerDeps } from './engineRunner';
import type { Timing } from './timing';

export interface ServicesDeps extends EngineRunnerDeps {
  readonly ask: Ask;
  readonly random: () => number;
  /** What each step of the engine took; those since the engine was opened come first. For one reader. */
  readonly timing$: Observable<Timing>;
}

/** The engine that the services work for. */
export interface ServedEngine {
  readonly start: Start;
  readonly runner: EngineRunner;
  readonly deps: ServicesDeps;
}

/** The same with an engine that exchanges states with servers. */
export interface ExchangingEngine extends ServedEngine {
  readonly loaded: Loaded & { readonly engine: Engine };
}

/** The events that the engine has evaluated. */
export const evaluatedEvents = (effect$: Observable<Effect>): Observable<CachedEvent> =>
  effect$.pipe(
    filter((effect) => effect.type === 'evaluated'),
    map(({ event }) => event),
  );
