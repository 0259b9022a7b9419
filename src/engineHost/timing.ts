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
