import { dequal } from 'dequal';
import { BehaviorSubject, type Observable, Subject } from 'rxjs';
import { type RunHelpers, TestScheduler } from 'rxjs/testing';

// Also the package entry `permutive-web-sdk/marbles`. The module needs no certain test runner.

type Values<A> = Readonly<Record<string, A>>;

/**
 * A function that a unit is given, and whose calls are a stream:
 * `expectObservable(effect.call$).toBe('--a', { a: [argument] })`.
 */
export interface Effect<Args extends readonly unknown[], Result> {
  (...args: Args): Result;
  readonly call$: Observable<Args>;
}

/** The scheduler's helpers, and what it lacks for imperative code. */
export interface MarbleHelpers extends RunHelpers {
  /** Acts at each letter of the diagram, as a page calls methods. */
  readonly schedule: (diagram: string, actions: Values<() => void>) => void;
  /** A state: whoever subscribes has its present value at once. The first letter stands at frame 0. */
  readonly state: <A = string>(diagram: string, values?: Values<A>) => Observable<A>;
  /** A function to be called by what is tested. `answer` makes its result. */
  readonly effect: <Args extends readonly unknown[], Result = void>(
    answer?: (...args: Args) => Result,
  ) => Effect<Args, Result>;
}

const helpersOf = (helpers: RunHelpers): MarbleHelpers => ({
  ...helpers,
  schedule: (diagram, actions) => {
    helpers.hot(diagram, actions).subscribe((act) => act());
  },
  state: <A>(diagram: string, values?: Values<A>) => {
    const first = diagram.trim().charAt(0);
    const state$ = new BehaviorSubject(values?.[first] ?? (first as A));
    helpers.hot(diagram, values).subscribe(state$);
    return state$.asObservable();
  },
  effect: <Args extends readonly unknown[], Result>(answer?: (...args: Args) => Result) => {
    const call$ = new Subject<Args>();
    const effect = (...args: Args): Result => {
      call$.next(args);
      return answer?.(...args) as Result;
    };
    return Object.assign(effect, { call$: call$.asObservable() });
  },
});

/** What test runners may have as globals. */
interface Runner {
  readonly it?: (name: string, test: () => void) => void;
  readonly expect?: (actual: unknown) => { readonly toStrictEqual: (expected: unknown) => void };
}
const runner: Runner = globalThis;

/** Fails where the frames differ: by the runner's own `expect`, which shows where, or by an error that shows both. */
const assertFrames = (actual: unknown, expected: unknown): void => {
  if (runner.expect !== undefined) runner.expect(actual).toStrictEqual(expected);
  else if (!dequal(actual, expected))
    throw new Error(`expected ${JSON.stringify(expected, null, 2)}\ngot ${JSON.stringify(actual, null, 2)}`);
};

/**
 * A body in virtual time: one frame is one millisecond, and nothing really waits. For tables of tests:
 * `it.each(…)('…', marbles(…))`. The test throws where an expectation does not hold.
 */
export const marbles =
  <Row extends readonly unknown[]>(test: (helpers: MarbleHelpers, ...row: Row) => void): ((...row: Row) => void) =>
  (...row) => {
    new TestScheduler(assertFrames).run((helpers) => test(helpersOf(helpers), ...row));
  };

/** One marble test. Needs the global `it` of the test runner; where it has none, write `it(name, marbles(test))`. */
export const marble = (name: string, test: (helpers: MarbleHelpers) => void): void => {
  if (runner.it === undefined) throw new Error('There is no global "it": write it(name, marbles(test))');
  runner.it(name, marbles(test));
};
