/* eslint-disable rxjs-x/no-internal -- the clocks of RxJS, which its own test scheduler replaces in the same way */
import { Observable } from 'rxjs';
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';
import { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider';
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider';
import { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider';
/* eslint-enable rxjs-x/no-internal */

/**
 * Something that sets timers: the browser, a page, or the engine of a page, which ends and freezes with it. Timers of a
 * frozen life wait until it goes on. Timers of one that has ended never run.
 */
export interface Life {
  readonly within: Life | undefined;
  state: 'live' | 'frozen' | 'ended';
}

/** A life, which ends with the one that it is within. */
export const newLife = (within?: Life): Life => ({ within, state: 'live' });

export const hasEnded = ({ state, within }: Life): boolean =>
  state === 'ended' || (within !== undefined && hasEnded(within));
const isFrozen = ({ state, within }: Life): boolean => state === 'frozen' || (within !== undefined && isFrozen(within));
/** Whether it runs code at this moment: it has not ended and is not frozen. */
export const isLive = (life: Life): boolean => !hasEnded(life) && !isFrozen(life);

interface Timer {
  readonly life: Life;
  readonly run: () => void;
  /** Ms between two runs; undefined where it runs once. */
  readonly every: number | undefined;
  /** By which RxJS clears it; 0 where it does not. */
  handle: number;
  due: number;
  /** Timers that are due at one time run in the order in which they were set. */
  turn: number;
  isCleared: boolean;
}

/** A clock that moves only when it is told to. Every timer belongs to the life in whose code it was set. */
export interface VirtualClock {
  /** Ms since the clock began. The clock goes on evenly, whatever happens to the visitor's clock. */
  readonly now: () => number;
  /** Runs all timers of the next so many ms. */
  readonly run: (ms: number) => void;
  /** Runs an action as a task of that life, and then the microtasks that it has left. */
  readonly task: (life: Life, action: () => void) => void;
  /** Runs an action as a task of that life, so many ms from now. */
  readonly later: (life: Life, ms: number, action: () => void) => void;
  /** Emits once after so many ms, unless the life of its subscriber has ended by then. Cold. */
  readonly after: (ms: number) => Observable<void>;
  /** Emits once, in a microtask at the end of this task. Cold. */
  readonly endOfTask: () => Observable<void>;
  /** The life whose code runs at this moment. */
  readonly current: () => Life;
  /** Lets the timers of a frozen page go on. */
  readonly thaw: (life: Life) => void;
}

/**
 * Runs an action with a clock to which the timers of RxJS belong meanwhile. Nothing really waits, and nothing that
 * happens in the action outlives it.
 */
export const withClock = <A>(action: (clock: VirtualClock, browser: Life) => A): A => {
  const browser = newLife();
  const timers = timerHeap();
  const held = new Set<Timer>();
  const byHandle = new Map<number, Timer>();
  let microtasks: (() => void)[] = [];
  let [now, turns, handles, current, depth] = [0, 0, 0, browser, 0];

  const add = (run: () => void, ms: number, every?: number, life = current): Timer => {
    const timer: Timer = {
      life,
      run,
      every,
      due: now + Math.max(0, ms),
      turn: (turns += 1),
      handle: 0,
      isCleared: false,
    };
    timers.push(timer);
    return timer;
  };
  /** Handles are below 0, which no browser uses: one that is cleared too late clears no real timer. */
  const handled = (timer: Timer): number => {
    timer.handle = handles -= 1;
    byHandle.set(timer.handle, timer);
    return timer.handle;
  };
  const clear = (handle: unknown): void => {
    const timer = byHandle.get(handle as number);
    if (timer) timer.isCleared = true;
    byHandle.delete(handle as number);
  };
  const task: VirtualClock['task'] = (life, run) => {
    const before = current;
    current = life;
    depth += 1;
    try {
      run();
      // Microtasks run at the end of the outermost task.
      if (depth === 1) for (let next = microtasks.shift(); next; next = microtasks.shift()) next();
    } finally {
      depth -= 1;
      current = before;
      if (depth === 0) microtasks = [];
    }
  };
  const runUntil = (end: number): void => {
    for (let timer = timers.first(); timer !== undefined && timer.due <= end; timer = timers.first()) {
      timers.pop();
      if (timer.isCleared || hasEnded(timer.life)) continue;
      if (isFrozen(timer.life)) {
        held.add(timer);
        continue;
      }
      now = Math.max(now, timer.due);
      if (timer.every === undefined) byHandle.delete(timer.handle);
      else {
        timer.due = now + Math.max(1, timer.every);
        timer.turn = turns += 1;
        timers.push(timer);
      }
      task(timer.life, timer.run);
    }
    now = end;
  };
  const clock: VirtualClock = {
    now: () => now,
    run: (ms) => runUntil(now + ms),
    task,
    later: (life, ms, run) => void add(run, ms, undefined, life),
    after: (ms) =>
      new Observable((subscriber) => {
        const timer = add(() => {
          subscriber.next();
          subscriber.complete();
        }, ms);
        return () => void (timer.isCleared = true);
      }),
    endOfTask: () =>
      new Observable((subscriber) => {
        microtasks.push(() => {
          subscriber.next();
          subscriber.complete();
        });
      }),
    current: () => current,
    thaw: (life) => {
      life.state = 'live';
      for (const timer of held)
        if (isLive(timer.life)) {
          held.delete(timer);
          timer.due = Math.max(now, timer.due);
          timers.push(timer);
        }
    },
  };

  const providers = [intervalProvider, timeoutProvider, immediateProvider, dateTimestampProvider] as const;
  const before = providers.map(({ delegate }) => delegate);
  intervalProvider.delegate = {
    setInterval: (run, ms = 0) => handled(add(run, ms, ms)),
    clearInterval: clear,
  };
  timeoutProvider.delegate = { setTimeout: (run, ms = 0) => handled(add(run, ms)), clearTimeout: clear };
  // What RxJS calls immediate is a microtask in a browser.
  immediateProvider.delegate = {
    setImmediate: (run) => {
      const timer: Timer = { life: current, run, every: undefined, due: now, turn: 0, handle: 0, isCleared: false };
      microtasks.push(() => {
        if (!timer.isCleared) run();
      });
      return handled(timer);
    },
    clearImmediate: clear,
  };
  dateTimestampProvider.delegate = { now: () => now };
  try {
    return action(clock, browser);
  } finally {
    providers.forEach((provider, i) => Object.assign(provider, { delegate: before[i] }));
  }
};

/** Timers by time and turn. */
const timerHeap = () => {
  const heap: Timer[] = [];
  const isBefore = (a: Timer, b: Timer): boolean => a.due < b.due || (a.due === b.due && a.turn < b.turn);
  const swap = (i: number, j: number): void => {
    [heap[i], heap[j]] = [heap[j]!, heap[i]!];
  };
  return {
    first: (): Timer | undefined => heap[0],
    push: (timer: Timer): void => {
      let i = heap.push(timer) - 1;
      for (let above = (i - 1) >> 1; i > 0 && isBefore(heap[i]!, heap[above]!); above = (i - 1) >> 1) {
        swap(i, above);
        i = above;
      }
    },
    pop: (): void => {
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return;
      heap[0] = last;
      for (let i = 0; ;) {
        let least = i;
        for (const below of [2 * i + 1, 2 * i + 2])
          if (below < heap.length && isBefore(heap[below]!, heap[least]!)) least = below;
        if (least === i) return;
        swap(i, least);
        i = least;
      }
    },
  };
};
