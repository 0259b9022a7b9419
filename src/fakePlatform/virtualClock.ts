/* eslint-disable rxjs-x/no-internal -- the clocks of RxJS, which its own test scheduler replaces in the same way */
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';
import { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider';
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider';
import { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider';
/* eslint-enable rxjs-x/no-internal */

interface Timer {
  readonly handle: number;
  readonly run: () => void;
  /** Ms between two runs; undefined where it runs once. */
  readonly every: number | undefined;
  due: number;
  /** Timers that are due at one time run in the order in which they were set. */
  turn: number;
}

/** A clock for the timers of RxJS, which moves only when it is told to. */
export interface VirtualClock {
  /** Runs an action. The timers of RxJS that it sets belong to this clock. */
  readonly within: <A>(action: () => A) => A;
  /** Runs an action in the middle of one of `within`. The timers that it sets belong to the clock before. */
  readonly outside: <A>(action: () => A) => A;
  /** Runs all timers of the next so many ms, at once and in their order. Default: all timers, until there is none. */
  readonly run: (ms?: number) => void;
}

const providers = [intervalProvider, timeoutProvider, immediateProvider, dateTimestampProvider] as const;
type Delegates = readonly (typeof providers)[number]['delegate'][];

const delegates = (): Delegates => providers.map(({ delegate }) => delegate);

/** Runs an action with these clocks of RxJS. The clocks are as before once the action has ended. */
const withDelegates = <A>(wanted: Delegates, action: () => A): A => {
  const set = (given: Delegates): void =>
    providers.forEach((provider, i) => Object.assign(provider, { delegate: given[i] }));
  const before = delegates();
  set(wanted);
  try {
    return action();
  } finally {
    set(before);
  }
};

/** Makes a clock, which stands at 0. */
export const virtualClock = (): VirtualClock => {
  const timers = new Map<number, Timer>();
  let [now, handles, turns] = [0, 0, 0];
  const set = (run: () => void, ms: number | undefined, every?: number): number => {
    // Below 0, which no browser uses: one that is cleared later than it should clears no timer of the page.
    const handle = (handles -= 1);
    timers.set(handle, { handle, run, every, due: now + Math.max(0, ms ?? 0), turn: (turns += 1) });
    return handle;
  };
  const clear = (handle: unknown): void => void timers.delete(handle as number);
  const first = (): Timer | undefined => {
    let found: Timer | undefined;
    for (const timer of timers.values())
      if (found === undefined || timer.due < found.due || (timer.due === found.due && timer.turn < found.turn))
        found = timer;
    return found;
  };
  const own: Delegates = [
    { setInterval: (run: () => void, ms?: number) => set(run, ms, Math.max(0, ms ?? 0)), clearInterval: clear },
    { setTimeout: (run: () => void, ms?: number) => set(run, ms), clearTimeout: clear },
    { setImmediate: (run: () => void) => set(run, 0), clearImmediate: clear },
    { now: () => now },
  ];
  const isOwn = (): boolean => intervalProvider.delegate === own[0];
  let outer = delegates();
  const within: VirtualClock['within'] = (action) => {
    if (!isOwn()) outer = delegates();
    return withDelegates(own, action);
  };
  return {
    within,
    outside: (action) => (isOwn() ? withDelegates(outer, action) : action()),
    run: (ms = Infinity) =>
      within(() => {
        const end = now + ms;
        for (let timer = first(); timer !== undefined && timer.due <= end; timer = first()) {
          // A timer may have let the clock run itself.
          now = Math.max(now, timer.due);
          if (timer.every === undefined) timers.delete(timer.handle);
          else {
            timer.due += timer.every;
            timer.turn = turns += 1;
          }
          timer.run();
        }
        if (end !== Infinity) now = Math.max(now, end);
      }),
  };
};

/**
 * Runs an action and then all timers of RxJS that it leads to, at once and in their order: nothing really waits. The
 * clock of RxJS begins at 0. Timers that never end, such as an interval that nobody unsubscribes, never let it return.
 *
 * The scheduler of `rxjs/testing` does the same, but throws where two timers are due at one time and the first of them
 * clears the second: ticks of the engine and its saves do that.
 */
export const inVirtualTime = (action: () => void): void => {
  const clock = virtualClock();
  clock.within(action);
  clock.run();
};
