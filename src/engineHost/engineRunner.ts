import { defer, EMPTY, from, ignoreElements, mergeMap, type Observable, of } from 'rxjs';

import type { Report as EngineReport } from '../engine/engine';
import type { PageEngine as Engine } from '../engine/engineInterface';
import type { EngineCommand, EngineMessage, Start, VisitContext } from '../model/engineCommands';
import { type Effect, type Loaded, membershipOf, tell } from './effects';
import { type LiveEngine, liveEngine } from './liveEngine';
import { catchUp, type LoadDeps, type OpenedEngine, openEngine } from './loadEngine';
import { type StateWriter, stateWriter, type StateWriterDeps } from './stateWriter';

/** Loading an engine and writing its state share store, JSON, clock and reports. */
export interface EngineRunnerDeps extends LoadDeps, StateWriterDeps {}

/** One engine through its life: it is loaded, processes one task after the other, and its state is saved. */
export interface EngineRunner extends Pick<StateWriter, 'note' | 'lastWrite'> {
  /** Processes one task. `load` comes first; until the engine is opened, other tasks do nothing. */
  readonly run: (task: EngineCommand | 'load' | 'tick') => Observable<Effect>;
  /** Writes the state if it changed, and emits `saved` with the id of the last event in it. */
  readonly save: () => Observable<EngineMessage>;
}

/** Makes the runner of one visit. The caller runs one task at a time, so the engine is never entered while it works. */
export const engineRunner = (start: Start, deps: EngineRunnerDeps): EngineRunner => {
  const writer = stateWriter(start, deps);
  let live: LiveEngine | undefined;
  let context: VisitContext = start.context;
  const currentContext = (): VisitContext => context;

  const load = (): Observable<Effect> =>
    openEngine(start, currentContext, deps).pipe(
      mergeMap((opened) =>
        catchUp(opened, deps).pipe(
          mergeMap((reports) => {
            writer.restore(opened.chunk);
            opened.provisional.forEach(writer.keep);
            // Only now: a save must find no engine that is half loaded.
            live = liveEngine(opened.engine, writer, deps);
            const effects = loadedEffects(live, opened, reports, { writer, context: currentContext });
            const saved = savedBefore(start.unsaved, opened.unseen);
            if (opened.unseen.length === 0) return [...effects, ...saved];
            // Saved at once: a page that is left soon would leave all of them to the next one again.
            writer.markChanged();
            return [...effects, ...saved, { type: 'flushRequested' } as const];
          }),
        ),
      ),
    );

  return {
    run: (task) =>
      defer(() => {
        if (task === 'load') return load();
        if (live === undefined) return EMPTY;
        if (task === 'tick') return from(live.take(live.engine.tick(deps.now())));
        // Kept beside the engine, because state sync and validation ask for the present session later.
        if (task.type === 'context') context = task.context;
        if (task.type === 'track' && writer.isCounted(task.event)) return EMPTY;
        if (task.type === 'track' && task.event.provisional === true) {
          writer.keep(task.event);
          return of<Effect>({ type: 'stateChanged' });
        }
        return from(effectsOfCommand(live, task));
      }),
    save: () => defer(() => (live === undefined ? EMPTY : writer.save(live.engine))),
    note: writer.note,
    lastWrite: writer.lastWrite,
  };
};

/** Tells the page which of the events that the last page has left are saved: those before the first unseen one. */
const savedBefore = (left: Start['unsaved'], unseen: OpenedEngine['unseen']): readonly Effect[] => {
  const unseenIds = new Set(unseen.map(({ id }) => id));
  const first = left.findIndex(({ id }) => unseenIds.has(id));
  const last = left.at(first === -1 ? -1 : first - 1);
  return last === undefined || first === 0 ? [] : [tell({ type: 'saved', eventId: last.id })];
};

/** What a message of the page leads to. `start` and `answer` are absent: the host and `askPage` read those. */
const effectsOfCommand = ({ engine, take, track }: LiveEngine, command: EngineCommand): readonly Effect[] => {
  switch (command.type) {
    case 'track':
      return track(command.event).effects;
    case 'context':
      return take(engine.updateContext(command.context));
    case 'data':
      return effectsOfData(engine.updateData(command.patch), take);
    case 'barrier':
      return [tell({ type: 'barrierReached', name: command.name })];
    case 'explain':
      return [{ type: 'explanationRequested', request: command.request, id: command.id }];
    case 'flush':
      return [{ type: 'flushRequested' }];
    default:
      return [];
  }
};

/**
 * What data leads to. Events that were not saved are evaluated again by the next page, but data is not: what it has
 * decided is saved at once.
 */
const effectsOfData = (report: EngineReport, take: LiveEngine['take']): readonly Effect[] => [
  ...take(report),
  { type: 'dataProvided' },
  ...(report.transitions.length > 0 ? [{ type: 'flushRequested' } as const] : []),
];

/** Evaluates the events that the stored state does not contain, and says that the engine is ready. */
const loadedEffects = (
  { engine, take, track }: LiveEngine,
  { chunk, cached, unseen, input }: OpenedEngine,
  reports: readonly EngineReport[],
  { writer, context }: { readonly writer: StateWriter; readonly context: () => VisitContext },
): readonly Effect[] => {
  // The order matters: cached events come before the events that the last page left.
  const replayed = reports.flatMap(take);
  const evaluated = unseen.map(track);
  const missed = evaluated.map(({ event }) => event);
  const loaded: Loaded = {
    engine,
    effectsOf: take,
    chunk,
    // A browser without an event-source id writes the new one before the server may hear of it.
    sourceStored$: chunk.eventSourceId === undefined ? writer.write(engine).pipe(ignoreElements()) : EMPTY,
    past: [...cached, ...missed],
    missed,
    context,
    input,
  };
  return [
    ...tellTogether(engine, [...replayed, ...evaluated.flatMap(({ effects }) => effects)]),
    { type: 'loaded', loaded },
  ];
};

/**
 * Puts the messages of initialisation into one, `initialised`. The page compares its transitions with the cohorts that
 * the last page published, and publishes only the differences.
 */
const tellTogether = (engine: Engine, effects: readonly Effect[]): readonly Effect[] => [
  ...effects.filter(({ type }) => type !== 'tell'),
  tell({
    type: 'initialised',
    membership: membershipOf(engine),
    migrated: engine.stateMigratedThisInitialisation,
    transitions: effects.flatMap((effect) =>
      effect.type === 'tell' && effect.message.type === 'transitions' ? effect.message.transitions : [],
    ),
  }),
];
