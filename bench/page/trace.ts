interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** µs. */
  readonly ts: number;
  readonly dur?: number;
  /** Of `dur`, what the thread has had a processor. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly data?: Readonly<Record<string, unknown>> };
}

/** A task of the page's thread of more than 50 ms. */
export interface LongTask {
  /** ms after the first mark, of its begin and its end. */
  readonly at: number;
  readonly endAt: number;
  readonly ms: number;
  /** The longest things that ran in it. */
  readonly what: readonly string[];
}

/**
 * The page's thread, as a trace has it from the mark `bench:{from}` on. Moments are times of the clock; how long
 * something took is processor time, which other processes do not lengthen.
 */
export interface PageThread {
  readonly pid: number;
  /** µs, on the clock that processor profiles use too. */
  readonly startUs: number;
  /** Marks of the page, by name, in ms from the first mark. */
  readonly marks: Readonly<Record<string, number>>;
  /** Ms between the first mark and `untilMs` in which these events ran, each moment counted once. */
  readonly spent: (isMeant: (event: TraceEvent) => boolean, untilMs: number) => number;
  /** Collecting garbage. */
  readonly collectMs: number;
  /** The longest task, in ms. */
  readonly longestMs: number;
  /** The task that has set the mark, and the longest one after it, in ms. */
  readonly first: number;
  readonly after: number;
  readonly longTasks: readonly LongTask[];
}

/** What a trace says of a visit, in ms from the insertion of the script element. */
export interface VisitTrace extends Omit<PageThread, 'spent'> {
  readonly readyAt: number | undefined;
  readonly evaluateMs: number;
  /** Sum of the tasks until ready, and until the page has settled. */
  readonly mainToReadyMs: number;
  readonly mainMs: number;
}

/** Categories that the readers of this file need. */
export const traceCategories = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'blink.user_timing',
  'v8.execute',
  'v8',
];
/** For `compileMs`. With thousands of events, they make a start half as expensive again. */
export const compileCategories = [...traceCategories, 'disabled-by-default-v8.compile'];

const prefix = 'bench:';

export const isTask = ({ name }: TraceEvent): boolean => name === 'RunTask';
const isCompile = ({ name, cat }: TraceEvent): boolean =>
  cat.includes('disabled-by-default-v8.compile') || name === 'v8.compile' || name === 'v8.produceCache';
const isCollection = ({ name }: TraceEvent): boolean => name === 'MinorGC' || name === 'MajorGC';

/** Reads a visit out of a Chromium trace. `script`: address of the candidate's script. */
export const readVisit = (buffer: Buffer, script: string, settledMs: number): VisitTrace => {
  const { spent, ...thread } = readThread(buffer, 'insert');
  const readyAt = thread.marks['ready'];
  const settledAt = (readyAt ?? Infinity) + settledMs;
  return {
    ...thread,
    readyAt,
    evaluateMs: spent(({ name, args }) => name === 'EvaluateScript' && args?.data?.['url'] === script, settledAt),
    mainToReadyMs: spent(isTask, readyAt ?? Infinity),
    mainMs: spent(isTask, settledAt),
  };
};

/** What V8 took to parse and compile on the page's thread, lazy functions included, in ms. */
export const compileMs = (buffer: Buffer): number => readThread(buffer, 'insert').spent(isCompile, Infinity);

/** Processor time, in ms, of each task that has set the mark `bench:{name}`, in their order. */
export const markedTasks = (buffer: Buffer, name: string): readonly number[] => {
  const traceEvents = eventsOf(buffer);
  const tasks = traceEvents.filter(isTask);
  return traceEvents
    .filter((event) => event.name === prefix + name)
    .sort((a, b) => a.ts - b.ts)
    .map(({ pid, tid, ts }) =>
      longest(tasks.filter((task) => task.pid === pid && task.tid === tid && task.ts <= ts && ts <= endOf(task))),
    );
};

/** Reads the thread that has set the mark `bench:{from}` out of a Chromium trace. */
export const readThread = (buffer: Buffer, from: string): PageThread => {
  const traceEvents = eventsOf(buffer);
  const first = traceEvents.find(({ name }) => name === prefix + from);
  if (first === undefined) throw new Error(`The trace has no mark ${from}`);
  const { pid, tid, ts: startUs } = first;
  const own = traceEvents.filter((event) => event.pid === pid && event.tid === tid && endOf(event) >= startUs);
  const at = (ts: number): number => (ts - startUs) / 1000;
  const spans = own.filter(({ ph }) => ph === 'X').sort((a, b) => a.ts - b.ts);
  const tasks = spans.filter(isTask);
  const spent: PageThread['spent'] = (isMeant, untilMs) => {
    let [sum, end] = [0, 0];
    for (const span of spans.filter(isMeant)) {
      const [begins, ends] = [Math.max(end, at(span.ts)), Math.min(untilMs, at(endOf(span)))];
      if (ends > begins) sum += ((ends - begins) * msOf(span) * 1000) / (span.dur ?? 1);
      end = Math.max(end, ends);
    }
    return sum;
  };
  return {
    pid,
    startUs,
    marks: Object.fromEntries(
      own.filter(({ name }) => name.startsWith(prefix)).map(({ name, ts }) => [name.slice(prefix.length), at(ts)]),
    ),
    spent,
    collectMs: spent(isCollection, Infinity),
    longestMs: longest(tasks),
    first: longest(tasks.filter(({ ts }) => ts <= startUs)),
    after: longest(tasks.filter(({ ts }) => ts > startUs)),
    longTasks: tasks.filter((task) => msOf(task) > 50).map((task) => longTask(task, spans, at)),
  };
};

const eventsOf = (buffer: Buffer): readonly TraceEvent[] =>
  (JSON.parse(buffer.toString('utf8')) as { readonly traceEvents: readonly TraceEvent[] }).traceEvents;

const endOf = ({ ts, dur = 0 }: TraceEvent): number => ts + dur;

/** How long it took, in ms of processor time where that is known. */
const msOf = ({ dur = 0, tdur = dur }: TraceEvent): number => tdur / 1000;

const longest = (tasks: readonly TraceEvent[]): number => Math.max(0, ...tasks.map(msOf));

const longTask = (task: TraceEvent, spans: readonly TraceEvent[], at: (ts: number) => number): LongTask => {
  const inside = spans
    .filter((span) => !isTask(span) && span.ts >= task.ts && endOf(span) <= endOf(task))
    .filter((span) => msOf(span) >= 5)
    .sort((a, b) => msOf(b) - msOf(a))
    .slice(0, 6)
    .map((span) => {
      const { url, functionName } = span.args?.data ?? {};
      const where = [url, functionName].filter((part) => typeof part === 'string' && part !== '');
      return [span.name, `${msOf(span).toFixed(0)} ms`, ...where.map((part) => String(part).split('/').at(-1))].join(
        ' ',
      );
    });
  return {
    at: Math.round(at(task.ts)),
    endAt: Math.round(at(endOf(task))),
    ms: Math.round(msOf(task)),
    what: inside,
  };
};
