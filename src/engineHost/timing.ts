import { defer, finalize, type MonoTypeOperatorFunction } from 'rxjs';

/** How long one step of the engine took. */
export interface Timing {
  readonly step: 'bootstrap' | 'replay' | 'event' | 'save';
  readonly ms: number;
}

export interface TimingDeps {
  /** Ms since 1970. */
  readonly now: () => number;
  readonly onTiming: (timing: Timing) => void;
}

/** Starts to measure a step. Call the result when the step is over. */
export const startTiming = (step: Timing['step'], { now, onTiming }: TimingDeps): (() => void) => {
  const from = now();
  return () => onTiming({ step, ms: now() - from });
};

/** Measures a step that takes from the subscription to the end. */
export const withTiming =
  <T>(step: Timing['step'], deps: TimingDeps): MonoTypeOperatorFunction<T> =>
  (work$) =>
    defer(() => work$.pipe(finalize(startTiming(step, deps))));
