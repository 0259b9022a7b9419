import { readdirSync, readFileSync } from 'node:fs';

/** What the kernel has accounted to the renderers of a browser so far. A browser with one page has one that works. */
export interface Account {
  /** Processor time of main threads, in ms. */
  readonly mainMs: number;
  /** Processor time of all threads, in ms: workers, compilation and garbage collection too. */
  readonly allMs: number;
  /** How often a main thread has slept and was woken. */
  readonly wakeUps: number;
}

/** Reads the account of a browser. Linux only. */
export const accountOf = (browserPid: number): Account => {
  const threads = renderersOf(browserPid).flatMap((pid) =>
    readable(() => readdirSync(`/proc/${pid}/task`), []).map((name) => {
      const tid = Number(name);
      return { pid, isMain: tid === pid, ms: readable(() => schedulingOf(pid, tid).ran, 0) / 1e6 };
    }),
  );
  const main = threads.filter(({ isMain }) => isMain);
  return {
    mainMs: sum(main.map(({ ms }) => ms)),
    allMs: sum(threads.map(({ ms }) => ms)),
    wakeUps: sum(main.map(({ pid }) => sleepsOf(pid))),
  };
};

/** What has come between two accounts. */
export const between = (from: Account, to: Account): Account => ({
  mainMs: to.mainMs - from.mainMs,
  allMs: to.allMs - from.allMs,
  wakeUps: to.wakeUps - from.wakeUps,
});

const renderersOf = (browserPid: number): readonly number[] => {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [Number(pid), parentOf(pid)]),
  );
  const isBelow = (pid: number): boolean => pid === browserPid || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  return [...parents.keys()].filter((pid) => isBelow(pid) && text(`/proc/${pid}/cmdline`).includes('--type=renderer'));
};

/** The second field after the name, which stands in parentheses and may have spaces. */
const parentOf = (pid: string): number => Number(text(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1] ?? 0);

/** The time in ns for which a thread ran, and for which it waited for a processor. Throws where it has ended. */
export const schedulingOf = (pid: number, tid = pid): { readonly ran: number; readonly waited: number } => {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${tid}/schedstat`, 'utf8').split(' ').map(Number);
  return { ran, waited };
};

/** How often the main thread of a process has slept. */
const sleepsOf = (pid: number): number =>
  Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(text(`/proc/${pid}/task/${pid}/status`))?.[1] ?? 0);

/** Processes and threads may end between two reads. */
const text = (file: string): string => readable(() => readFileSync(file, 'utf8'), '');

const readable = <A>(read: () => A, otherwise: A): A => {
  try {
    return read();
  } catch {
    return otherwise;
  }
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
