import { Subject } from 'rxjs';

import { engagedSeconds } from '../../../src/addons/web/engagedSeconds';

afterEach(() => jest.restoreAllMocks());

/** Intervals as Firefox has them: each turn begins when the one before it has ended, and each ends a little late. */
const withDrift = (lateMs: number): void => {
  jest.useFakeTimers();
  const timers = new Map<number, NodeJS.Timeout>();
  let last = 0;
  const setInterval = (action: () => void, ms: number): number => {
    const id = (last += 1);
    const turn = (): void => {
      timers.set(
        id,
        setTimeout(() => {
          turn();
          action();
        }, ms + lateMs),
      );
    };
    turn();
    return id;
  };
  jest.spyOn(globalThis, 'setInterval').mockImplementation(setInterval as never);
  jest.spyOn(globalThis, 'clearInterval').mockImplementation((id) => clearTimeout(timers.get(id as number)));
};

test('tells five seconds each time where the intervals of the browser drift', () => {
  withDrift(7);
  const activity$ = new Subject<void>();
  const told: number[] = [];
  const subscription = activity$.pipe(engagedSeconds(() => true)).subscribe((seconds) => told.push(seconds));
  for (let ms = 0; ms < 31_000; ms += 500) {
    activity$.next();
    jest.advanceTimersByTime(500);
  }
  subscription.unsubscribe();
  jest.useRealTimers();
  expect(told).toEqual([5, 5, 5, 5, 5, 5]);
});
