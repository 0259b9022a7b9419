import { defer, EMPTY, from, ignoreElements, mergeMap, type Observable, of } from 'rxjs';

import type { Report as EngineReport } from '../engine/engine';
import { ownFields } from '../hardening/ownFields';
import type { EngineCommand, EngineMessage, Start, VisitContext } from '../model/engineCommands';
import { unreadText } from '../model/explanation';
import { type Effect, type Loaded, membershipOf, tell } from './effects';
import { heldEvents } from './heldEvents';
import { type LiveEngine, liveEngine } from './liveEngine';
import { catchUp, type LoadDeps, type OpenedEngine, openEngine } from './loadEngine';
import { type StateWriter, stateWriter, type StateWriterDeps } from './stateWriter';
import { type UntoldTransitions, untoldTransitions } from './untold';

/** How often the task `tick` comes (spec C§9). */
export const tickMs = 1000;

/** Loading an engine and writing its state share store, JSON, clock and reports. */
export interface EngineRunnerDeps extends LoadDeps, Omit<StateWriterDeps, 'isHolding' | 'untold'> {}

/** One engine through its life: it is loaded, processes one task after the other, and its state is saved. */
export interface EngineRunner extends Pick<StateWriter, 'isCounted' | 'note' | 'lastWrite' | 'unsaved$'> {
  /** Processes one task. `load` comes first; until the engine is opened, other tasks do nothing. */
  readonly run: (task: EngineCommand | 'load' | 'tick') => Observable<Effect>;
  /** Whether the engine is open. */
  readonly isOpen: () => boolean;
  /** Writes the state if it changed, and emits `saved` with the last events in it. */
  readonly save: () => Observable<EngineMessage>;
}

/** Makes the runner of one visit. The caller runs one task at a time, so the engine is never entered while it works. */
export const engineRunner = (start: Start, deps: EngineRunnerDeps): EngineRunner => {
  const held = heldEvents(start.requestTimeout, ownFields(deps.bundle).lateFields ?? []);
  const untold = untoldTransitions(start.page);
  const writer = stateWriter(start, { ...deps, isHolding: held.isHolding, untold });
  let live: LiveEngine | undefined;
  let context: VisitContext = start.context;
  const currentContext = (): VisitContext => context;

  const caughtUp = (opened: OpenedEngine): Observable<Effect> =>
    catchUp(opened, deps).pipe(
      mergeMap((reports) => {
        writer.restore(opened.chunk);
        untold.takeOver(opened.chunk.untold, opened.ended, deps.now());
        opened.provisional.forEach(writer.keep);
        // Only now: a save must find no engine that is half loaded.
        live = liveEngine(opened.engine, writer, held, { ...deps, untold });
        const effects = loadedEffects(live, opened, reports, { writer, untold, context: currentContext });
        if (opened.unseen.length === 0) return effects;
        // Saved at once: a page that is left soon would leave all of them to the next one again.
        writer.markChanged();
        return [...effects, { type: 'flushRequested' } as const];
      }),
    );
  const load = (): Observable<Effect> =>
    openEngine(start, currentContext, deps).pipe(
      mergeMap((opened) => (opened.isKnown ? caughtUp(opened.value) : of(tell({ type: 'unread', text: unreadText })))),
    );

  return {
    run: (task) =>
      defer(() => {
        if (task === 'load') return load();
        if (live === undefined) return EMPTY;
        if (task === 'tick') return from([...live.take(live.engine.tick(deps.now())), ...live.release(tickMs)]);
        // Kept beside the engine, because state sync and validation ask for the present session later.
        if (task.type === 'context') context = task.context;
        if (task.type === 'track') {
          writer.markTold(task.event);
          if (writer.isCounted(task.event)) return of<Effect>({ type: 'known' });
          if (task.event.provisional === true) {
            writer.keep(task.event);
            return of<Effect>({ type: 'stateChanged' });
          }
        }
        return from(effectsOfCommand(live, task));
      }),
    isOpen: () => live !== undefined,
    save: () => defer(() => (live === undefined ? EMPTY : writer.save(live.engine))),
    isCounted: writer.isCounted,
    note: writer.note,
    lastWrite: writer.lastWrite,
    unsaved$: writer.unsaved$,
  };
};

/** What a message of the page leads to. `start` and `answer` are absent: the host and `askPage` read those. */
const effectsOfCommand = (live: LiveEngine, command: EngineCommand): readonly Effect[] => {
  const { engine, take } = live;
  switch (command.type) {
    case 'track':
      return live.track(command.event);
    case 'filled':
      return live.release(0, command.event);
    case 'context':
      return take(engine.updateContext(command.context));
    case 'data':
      return effectsOfData(engine.updateData(command.patch), take);
    case 'barrier':
      return [tell({ type: 'barrierReached', name: command.name })];
    case 'explain':
      return [{ type: 'explanationRequested', asked: command }];
    case 'flush':
      // A page that may be going away awaits nothing.
      return [...live.release(Infinity), { type: 'flushRequested' }];
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

/**
 * Evaluates the events that the stored state does not contain, and says that the engine is ready: the messages of
 * initialisation become one, with the transitions that this load has made, and those that earlier pages left untold.
 */
const loadedEffects = (
  { engine, take, track, isMember }: LiveEngine,
  { chunk, cached, unseen, isJournalRead, input }: OpenedEngine,
  reports: readonly EngineReport[],
  {
    writer,
    untold,
    context,
  }: Pick<Loaded, 'context'> & { readonly writer: StateWriter; readonly untold: UntoldTransitions },
): readonly Effect[] => {
  // The order matters: cached events come before the events that the last page left.
  const replayed = reports.flatMap(take);
  const evaluated = unseen.flatMap(track);
  const missed = evaluated.flatMap((effect) => (effect.type === 'evaluated' ? [effect.event] : []));
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
  const others = [...replayed, ...evaluated].filter(({ type }) => type !== 'tell');
  const initialised = tell({
    type: 'initialised',
    membership: membershipOf(engine),
    migrated: engine.stateMigratedThisInitialisation,
    transitions: untold.list(isMember),
    ...(!isJournalRead && { mayBeTold: true }),
  });
  return [...others, initialised, { type: 'loaded', loaded }];
};
