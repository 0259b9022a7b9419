import { BehaviorSubject, type Observable, Subject } from 'rxjs';
import { type RunHelpers, TestScheduler } from 'rxjs/testing';

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

/**
 * A body in virtual time: one frame is one millisecond, and nothing really waits. For tables of tests:
 * `it.each(…)('…', marbles(…))`.
 */
export const marbles =
  <Row extends readonly unknown[]>(test: (helpers: MarbleHelpers, ...row: Row) => void): ((...row: Row) => void) =>
  (...row) => {
    new TestScheduler((actual, expected) => {
      expect(actual).toStrictEqual(expected);
    }).run((helpers) => test(helpersOf(helpers), ...row));
  };

/** One marble test. */
export const marble = (name: string, test: (helpers: MarbleHelpers) => void): void => {
  it(name, marbles(test));
};
