/** Bytes of live objects. Needs `--expose-gc`. */
export const heapBytes = (): number => {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('run with --expose-gc');
  gc();
  gc();
  return process.memoryUsage().heapUsed;
};

export interface Timed<Result> {
  readonly result: Result;
  readonly ms: number;
  /** Processor time, which other processes do not lengthen. */
  readonly cpuMs: number;
}

export const timed = <Result>(work: () => Result): Timed<Result> => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const result = work();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { result, ms, cpuMs: (user + system) / 1000 };
};

export const median = (numbers: readonly number[]): number => percentile(numbers, 0.5);

/** The smallest number that this share of the numbers does not exceed. */
export const percentile = (numbers: readonly number[], share: number): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
};
