interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** µs. */
  readonly ts: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string; readonly data?: Readonly<Record<string, unknown>> };
}

/** A task of the page's thread of 50 ms or more. */
export interface LongTask {
  /** ms after the script element was inserted. */
  readonly at: number;
  readonly ms: number;
  /** The longest things that ran in it. */
  readonly what: readonly string[];
}

/** What a trace says of the page's thread, in ms from the insertion of the script element. */
export interface Trace {
  readonly pid: number;
  readonly readyAt: number | undefined;
  /** Marks of the page, by name. */
  readonly marks: Readonly<Record<string, number>>;
  readonly evaluateMs: number;
  /** Sum of the tasks until ready, and until the end of the trace. */
  readonly mainToReadyMs: number;
  readonly mainMs: number;
  readonly longTasks: readonly LongTask[];
}

const prefix = 'bench:';

/** Reads the page's main thread out of a Chromium trace. `script`: address of the candidate's script. */
export const readTrace = (buffer: Buffer, script: string): Trace => {
  const { traceEvents } = JSON.parse(buffer.toString('utf8')) as { readonly traceEvents: readonly TraceEvent[] };
  const insert = traceEvents.find(({ name }) => name === `${prefix}insert`);
  if (insert === undefined) throw new Error('The trace has no insertion');
  const { pid, tid, ts: start } = insert;
  const own = traceEvents.filter(
    (event) => event.pid === pid && event.tid === tid && event.ts + (event.dur ?? 0) >= start,
  );
  const at = (ts: number): number => (ts - start) / 1000;
  const marks = Object.fromEntries(
    own.filter(({ name }) => name.startsWith(prefix)).map(({ name, ts }) => [name.slice(prefix.length), at(ts)]),
  );
  const tasks = own.filter(({ name, ph }) => name === 'RunTask' && ph === 'X');
  const readyAt = marks['ready'];
  const total = (until: number): number =>
    tasks.reduce((sum, { ts, dur = 0 }) => sum + Math.max(0, Math.min(at(ts + dur), until) - Math.max(0, at(ts))), 0);
  return {
    pid,
    readyAt,
    marks,
    evaluateMs: own
      .filter(({ name, args }) => name === 'EvaluateScript' && args?.data?.['url'] === script)
      .reduce((sum, { dur = 0 }) => sum + dur / 1000, 0),
    mainToReadyMs: total(readyAt ?? Infinity),
    mainMs: total(Infinity),
    longTasks: tasks.filter(({ dur = 0 }) => dur >= 50_000).map((task) => longTask(task, own, at)),
  };
};

const longTask = (task: TraceEvent, events: readonly TraceEvent[], at: (ts: number) => number): LongTask => {
  const end = task.ts + (task.dur ?? 0);
  const inside = events
    .filter(
      ({ ts, dur = 0, ph, name }) =>
        ph === 'X' && name !== 'RunTask' && ts >= task.ts && ts + dur <= end && dur >= 5000,
    )
    .sort((a, b) => (b.dur ?? 0) - (a.dur ?? 0))
    .slice(0, 6)
    .map(({ name, dur = 0, args }) => {
      const data = args?.data ?? {};
      const where = [data['url'], data['functionName']].filter((part) => typeof part === 'string' && part !== '');
      return `${name} ${(dur / 1000).toFixed(0)} ms ${where.map((part) => String(part).split('/').at(-1)).join(' ')}`.trim();
    });
  return { at: Math.round(at(task.ts)), ms: Math.round((task.dur ?? 0) / 1000), what: inside };
};
