import { defer, finalize, type MonoTypeOperatorFunction, Observable } from 'rxjs';

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

/** Timings that are kept until they are read (spec C§9). */
const maxTimings = 10_000;

/** A stream of timings for one reader. Those of before the subscription are kept for it. */
export const timingStream = (): Pick<TimingDeps, 'onTiming'> & { readonly timing$: Observable<Timing> } => {
  const early: Timing[] = [];
  let onTiming = (timing: Timing): void => {
    if (early.length < maxTimings) early.push(timing);
  };
  return {
    onTiming: (timing) => onTiming(timing),
    timing$: new Observable((subscriber) => {
      onTiming = (timing) => subscriber.next(timing);
      early.splice(0).forEach(onTiming);
    }),
  };
};

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
