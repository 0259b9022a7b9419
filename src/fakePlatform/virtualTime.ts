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

/**
 * Runs an action and then all timers of RxJS that it leads to, at once and in their order: nothing really waits. The
 * clock of RxJS begins at 0. Timers that never end, such as an interval that nobody unsubscribes, never let it return.
 *
 * The scheduler of `rxjs/testing` does the same, but throws where two timers are due at one time and the first of them
 * clears the second: ticks of the engine and its saves do that.
 */
export const inVirtualTime = (action: () => void): void => {
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
  const providers = [intervalProvider, timeoutProvider, immediateProvider, dateTimestampProvider] as const;
  const before = providers.map(({ delegate }) => delegate);
  intervalProvider.delegate = {
    setInterval: (run, ms) => set(run, ms, Math.max(0, ms ?? 0)),
    clearInterval: clear,
  };
  timeoutProvider.delegate = { setTimeout: (run, ms) => set(run, ms), clearTimeout: clear };
  immediateProvider.delegate = { setImmediate: (run) => set(run, 0), clearImmediate: clear };
  dateTimestampProvider.delegate = { now: () => now };
  try {
    action();
    for (let timer = first(); timer !== undefined; timer = first()) {
      now = timer.due;
      if (timer.every === undefined) timers.delete(timer.handle);
      else {
        timer.due += timer.every;
        timer.turn = turns += 1;
      }
      timer.run();
    }
  } finally {
    providers.forEach((provider, i) => Object.assign(provider, { delegate: before[i] }));
  }
};
