import { defer, EMPTY, from, ignoreElements, mergeMap, type Observable, tap } from 'rxjs';

import type { Report as EngineReport } from '../engine/engine';
import type { PageEngine as Engine } from '../engine/engineInterface';
import type { EngineCommand, EngineMessage, Start, VisitContext } from '../model/engineCommands';
import type { Event } from '../model/event';
import { type CachedEvent, isCached } from './cachedEvent';
import { type Effect, effectsOf, type Loaded, membershipOf, reportErrors, tell } from './effects';
import { catchUp, engineEvent, type LoadDeps, type OpenedEngine, openEngine } from './loadEngine';
import { type StateWriter, stateWriter, type StateWriterDeps } from './stateWriter';
import { startTiming } from './timing';

export interface EngineRunnerDeps extends LoadDeps, StateWriterDeps {}

/** One engine through its life: it is loaded, processes one task after the other, and its state is saved. */
export interface EngineRunner extends Pick<StateWriter, 'note' | 'lastWrite'> {
  readonly run: (task: EngineCommand | 'load' | 'tick') => Observable<Effect>;
  /** Reports the errors of an engine's report, and answers what it means for page and store. */
  readonly effectsOf: (engine: Engine, report: EngineReport) => readonly Effect[];
  /** Writes the state if it changed, and says up to which event. */
  readonly save: () => Observable<EngineMessage>;
}

export const engineRunner = (start: Start, deps: EngineRunnerDeps): EngineRunner => {
  const writer = stateWriter(start.userId, deps);
  let engine: Engine | undefined;
  let context: VisitContext = start.context;

  const take = (live: Engine, report: EngineReport): readonly Effect[] => {
    reportErrors(report, deps.report);
    if (report.stateChanged) writer.markChanged();
    return effectsOf(live, report);
  };

  const track = (live: Engine, event: Event): { readonly effects: readonly Effect[]; readonly event: CachedEvent } => {
    const stop = startTiming('event', deps);
    const effects = take(live, live.process([engineEvent(event)], deps.now()));
    writer.markEvaluated(event.id);
    stop();
    return { effects, event: { ...event, cohorts: isCached(event.name) ? live.members() : [] } };
  };

  const loadedEffects = (opened: OpenedEngine, reports: readonly EngineReport[]): readonly Effect[] => {
    const { engine: live, chunk, cached, unseen } = opened;
    const replayed = reports.flatMap((report) => take(live, report));
    const tracked = unseen.map((event) => track(live, event));
    const missed = tracked.map(({ event }) => event);
    const loaded: Loaded = {
      ...opened,
      sourceStored$: chunk.eventSourceId === undefined ? writer.write(live).pipe(ignoreElements()) : EMPTY,
      past: [...cached, ...missed],
      missed,
      context: () => context,
    };
    return [
      ...initialisedEffects(live, [...replayed, ...tracked.flatMap(evaluatedEffects)]),
      { type: 'loaded', loaded },
    ];
  };

  const load = (): Observable<Effect> =>
    openEngine(start, () => context, deps).pipe(
      tap((opened) => {
        engine = opened.engine;
        writer.restore(opened.chunk);
      }),
      mergeMap((opened) => catchUp(opened, deps).pipe(mergeMap((reports) => loadedEffects(opened, reports)))),
    );

  const effectsOfCommand = (live: Engine, command: EngineCommand): readonly Effect[] => {
    switch (command.type) {
      case 'track':
        return evaluatedEffects(track(live, command.event));
      case 'context':
        context = command.context;
        return take(live, live.updateContext(context));
      case 'data':
        return [...take(live, live.updateData(command.patch)), { type: 'dataProvided' }];
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

  return {
    run: (task) =>
      defer(() => {
        if (task === 'load') return load();
        if (engine === undefined) return EMPTY;
        return from(task === 'tick' ? take(engine, engine.tick(deps.now())) : effectsOfCommand(engine, task));
      }),
    effectsOf: take,
    save: () => defer(() => (engine === undefined ? EMPTY : writer.save(engine))),
    note: writer.note,
    lastWrite: writer.lastWrite,
  };
};

const evaluatedEffects = ({
  effects,
  event,
}: {
  readonly effects: readonly Effect[];
  readonly event: CachedEvent;
}): readonly Effect[] => [...effects, { type: 'evaluated', event }];

/**
 * Puts what the page would be told step by step into one message, `initialised`: the page compares its transitions with
 * the cohorts that the last page published, and publishes only what is new.
 */
const initialisedEffects = (engine: Engine, effects: readonly Effect[]): readonly Effect[] => [
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
