import type { Report as EngineReport } from '../engine/engine';
import type { IsWanted, PageEngine as Engine } from '../engine/engineInterface';
import { isTransition } from '../model/cohort';
import type { Event, NumberedEvent } from '../model/event';
import type { Report } from '../model/report';
import { engineEvent, isCached } from './cachedEvent';
import { type Effect, effectsOf, reportFaults } from './effects';
import type { HeldEvent, HeldEvents } from './heldEvents';
import type { StateWriter } from './stateWriter';
import { startTiming, type TimingDeps } from './timing';
import type { IsMember, UntoldTransitions } from './untold';

/** Clock, timings and error reports of a live engine. */
export interface LiveEngineDeps extends TimingDeps {
  readonly untold: Pick<UntoldTransitions, 'add' | 'tell'>;
  readonly report: Report;
}

/** An engine whose results become effects, and whose changes are marked to be saved. */
export interface LiveEngine {
  readonly engine: Engine;
  /** Reports the errors of an engine's report, marks changed state for the next save, and answers the effects. */
  readonly take: (report: EngineReport) => readonly Effect[];
  /** What the engine knows of a cohort. */
  readonly isMember: IsMember;
  /**
   * Evaluates an event, and says so unless it is held for some queries. The engine knows the transitions that it made,
   * so of their events it keeps only that they have been told.
   */
  readonly track: (event: NumberedEvent) => readonly Effect[];
  /**
   * So many ms have passed, and perhaps the values of an event have come. Evaluates the held events that wait no
   * longer, for the queries that were held.
   */
  readonly release: (ms: number, filled?: Event) => readonly Effect[];
}

/** Joins an engine to the writer of its state. */
export const liveEngine = (
  engine: Engine,
  writer: Pick<StateWriter, 'markChanged' | 'markEvaluated' | 'markTransition'>,
  held: HeldEvents,
  deps: LiveEngineDeps,
): LiveEngine => {
  const take: LiveEngine['take'] = (report) => {
    reportFaults(report, deps.report);
    if (report.stateChanged) writer.markChanged();
    deps.untold.add(report.transitions);
    return effectsOf(engine, report);
  };
  /** Evaluates an event: for the queries that are not held, or late for those that are. */
  const evaluate = ({ event, isHeld }: HeldEvent, isLate: boolean): readonly Effect[] => {
    const isWanted: IsWanted | undefined = isHeld && ((probe) => isHeld(probe) === isLate);
    const effects = take(engine.process([engineEvent(event)], deps.now(), isWanted));
    writer.markEvaluated(event);
    if (isHeld && !isLate) return effects;
    // Only the cache reads the cohorts of an event.
    const cohorts = isCached(event.name) ? engine.members() : [];
    return [...effects, { type: 'evaluated', event: { ...event, cohorts } }];
  };
  const { catalogue, memberships } = engine.parts.machine;
  const isMember: IsMember = (id) => (catalogue.has(id) ? memberships.isMember(id) : undefined);
  return {
    engine,
    take,
    isMember,
    track: (event) => {
      if (isTransition(event.name)) {
        writer.markTransition(event, deps.untold.tell(event, isMember));
        return [{ type: 'known' }];
      }
      const stop = startTiming('event', deps);
      const effects = evaluate(held.add(event), false);
      stop();
      return effects;
    },
    release: (ms, filled) => held.takeDue(ms, filled).flatMap((each) => evaluate(each, true)),
  };
};
