import {
  asapScheduler,
  catchError,
  connect,
  defaultIfEmpty,
  filter,
  forkJoin,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  observeOn,
  of,
  ReplaySubject,
  Subject,
  take,
} from 'rxjs';

import { memoryJournal } from '../../fakePlatform/memoryJournal';
import { memoryStore } from '../../fakePlatform/memoryStore';
import type { Json } from '../../hardening/json';
import { ownFields } from '../../hardening/ownFields';
import type { EngineCommand, EngineMessage } from '../../model/engineCommands';
import type { Report } from '../../model/report';
import type { EngineLink } from '../../platform/platform';

/** The engine and the project's query definitions, as the chunk of the engine on the page has them. */
export type PageEngineModule = Pick<
  typeof import('../../engineHost/pageEngine'),
  'askPage' | 'bundle' | 'engineHost' | 'partsAtHand' | 'read'
>;

export interface MemoryEngineDeps {
  readonly engine: PageEngineModule;
  /** What the engine finds in its store: texts by key. */
  readonly stored: Readonly<Record<string, string>>;
  readonly json: Json;
  /** Ms since 1970. */
  readonly now: () => number;
  /** Lets the page have its turn between two slices of the engine's work. */
  readonly yieldThread: () => Observable<unknown>;
  readonly report: Report;
}

/**
 * The messages of the real engine, on the page, with a clock of the caller's and a store in memory: nothing that it
 * does is stored, and no other tab sees it. The engine evaluates at once what it is told.
 */
export const memoryEngine = (
  command$: Observable<EngineCommand>,
  { engine: { askPage, bundle, engineHost, partsAtHand, read }, stored, ...deps }: MemoryEngineDeps,
): Observable<EngineMessage> =>
  command$.pipe(
    connect((told$) => {
      const asked$ = new Subject<EngineMessage>();
      const store = memoryStore(stored);
      return merge(
        asked$,
        engineHost(told$, {
          ...deps,
          bundle: ownFields(bundle),
          read,
          ask: askPage((question) => asked$.next(question), told$),
          store: () => store,
          journal: memoryJournal(),
          load: partsAtHand,
          // Never sampled.
          random: () => 1,
          hold: () => of(true),
        }),
      );
    }),
  );

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
