import type { Report as EngineReport } from '../engine/engine';
import type { PageEngine as Engine } from '../engine/engineInterface';
import type { NumberedEvent } from '../model/event';
import type { Report } from '../model/report';
import { type CachedEvent, engineEvent, isCached } from './cachedEvent';
import { type Effect, effectsOf, reportFaults } from './effects';
import type { StateWriter } from './stateWriter';
import { startTiming, type TimingDeps } from './timing';

/** Clock, timings and error reports of a live engine. */
export interface LiveEngineDeps extends TimingDeps {
  readonly report: Report;
}

/** An engine whose results become effects, and whose changes are marked to be saved. */
export interface LiveEngine {
  readonly engine: Engine;
  /** Reports the errors of an engine's report, marks changed state for the next save, and answers the effects. */
  readonly take: (report: EngineReport) => readonly Effect[];
  /** Evaluates an event. Answers the effects, and the event as it is cached: with the cohorts of that moment. */
  readonly track: (event: NumberedEvent) => EvaluatedEvent;
}

/** An event after its evaluation, with everything that it led to. */
export interface EvaluatedEvent {
  readonly event: CachedEvent;
  readonly effects: readonly Effect[];
}

/** Joins an engine to the writer of its state. */
export const liveEngine = (
  engine: Engine,
  writer: Pick<StateWriter, 'markChanged' | 'markEvaluated'>,
  deps: LiveEngineDeps,
): LiveEngine => {
  const take: LiveEngine['take'] = (report) => {
    reportFaults(report, deps.report);
    if (report.stateChanged) writer.markChanged();
    return effectsOf(engine, report);
  };
  return {
    engine,
    take,
    track: (tracked) => {
      const stop = startTiming('event', deps);
      const effects = take(engine.process([engineEvent(tracked)], deps.now()));
      writer.markEvaluated(tracked);
      stop();
      // Only the cache reads the cohorts of an event.
      const event = { ...tracked, cohorts: isCached(tracked.name) ? engine.members() : [] };
      return { event, effects: [...effects, { type: 'evaluated', event }] };
    },
  };
};
