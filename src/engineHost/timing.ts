import { defer, EMPTY, finalize, type MonoTypeOperatorFunction, Observable } from 'rxjs';

/** How long one step of the engine took: its start-up steps, one event, or one save of the state. */
export interface Timing {
  /** `bootstrap` and `replay` occur once, `event` for each event, `save` for each write. */
  readonly step: 'bootstrap' | 'replay' | 'event' | 'save';
  /** Duration in ms, by a clock that may be set meanwhile. */
  readonly ms: number;
}

/** The clock, and the receiver of timings. */
export interface TimingDeps {
  /** Ms since 1970. */
  readonly now: () => number;
  /** Takes each timing as its step ends. */
  readonly onTiming: (timing: Timing) => void;
}

/** Timings that are kept until they are read; later ones are dropped (spec C§9). */
const maxTimings = 10_000;

/**
 * Makes a receiver of timings, and a stream of them for one reader. The stream keeps the timings of before the
 * subscription, because the metrics that read them load after the engine.
 */
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

/** Takes timings that nobody reads, so that none is kept for the page's life. */
export const untimed: ReturnType<typeof timingStream> = { onTiming: () => undefined, timing$: EMPTY };

/** Starts to measure a step. Answers a function to call when the step is over. */
export const startTiming = (step: Timing['step'], { now, onTiming }: TimingDeps): (() => void) => {
  const from = now();
  return () => onTiming({ step, ms: now() - from });
};

/** Measures a step from the subscription to `work$` until its end, its error or its unsubscription. */
export const withTiming =
  <T>(step: Timing['step'], deps: TimingDeps): MonoTypeOperatorFunction<T> =>
  (work$) =>
    defer(() => work$.pipe(finalize(startTiming(step, deps))));
