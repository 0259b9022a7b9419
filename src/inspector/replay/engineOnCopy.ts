import {
  asapScheduler,
  catchError,
  defaultIfEmpty,
  filter,
  forkJoin,
  mergeMap,
  NEVER,
  type Observable,
  observeOn,
  ReplaySubject,
  take,
} from 'rxjs';

import type { EngineCommand } from '../../model/engineCommands';
import type { EngineLink } from '../../platform/platform';
import { memoryEngine, type MemoryEngineDeps, type PageEngineModule } from './memoryEngine';

/** Where an engine on a copy comes from, and what is copied for it. */
export interface CopyDeps {
  /** Loads the engine for the page. */
  readonly loadEngine: () => Promise<PageEngineModule>;
  /**
   * What an engine of this user will find in its store: texts by key. Cold; emits once, or completes where the store
   * cannot be read.
   */
  readonly stored: (userId: string) => Observable<Readonly<Record<string, string>>>;
}

/** An engine on the page, on a copy of what the store holds. Silent where it does not load, which is reported. */
export const engineOnCopy = (
  { loadEngine, stored }: CopyDeps,
  deps: Omit<MemoryEngineDeps, 'engine' | 'stored'>,
): EngineLink => {
  const told$ = new ReplaySubject<EngineCommand>(Infinity);
  return {
    send: (command) => told$.next(command),
    message$: told$.pipe(
      filter((command) => command.type === 'start'),
      take(1),
      mergeMap(({ userId }) => forkJoin([loadEngine(), stored(userId).pipe(defaultIfEmpty({}))])),
      mergeMap(([engine, texts]) =>
        // Not within the task of the message, as in a worker.
        memoryEngine(told$.pipe(observeOn(asapScheduler)), { ...deps, engine, stored: texts }),
      ),
      catchError((cause: unknown) => {
        deps.report('No engine could be loaded, the cohorts stay as they are', cause);
        return NEVER;
      }),
    ),
  };
};
