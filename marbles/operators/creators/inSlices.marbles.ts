import { asyncScheduler, map, timer } from 'rxjs';

import { inSlices } from '../../../src/operators/creators/inSlices';
import { marble } from '../../support/marbles';

/** Work that takes `unitMs` of the clock per unit, in a world where yielding takes 1 ms. */
const work = (units: number, unitMs: number) => {
  let worked = 0;
  const done: number[] = [];
  function* steps(): Generator<void, string> {
    for (let unit = 1; unit <= units; unit += 1) {
      worked += unitMs;
      done.push(unit);
      yield;
    }
    return 'v';
  }
  const yieldThread = jest.fn(() => timer(1).pipe(map(() => undefined)));
  return { steps, done, yieldThread, slices: { now: () => asyncScheduler.now() + worked, yieldThread } };
};

describe('inSlices', () => {
  marble('runs work that fits into one slice at once', ({ expectObservable, flush }) => {
    const { steps, slices, yieldThread } = work(5, 10);
    expectObservable(inSlices(steps, slices)).toBe('-(v|)');
    flush();
    expect(yieldThread).toHaveBeenCalledTimes(1);
  });

  marble('runs work without steps without yielding', ({ expectObservable, flush }) => {
    const { steps, slices, yieldThread } = work(0, 10);
    expectObservable(inSlices(steps, slices)).toBe('(v|)');
    flush();
    expect(yieldThread).not.toHaveBeenCalled();
  });

  marble('lets others go first after 50 ms, and after the unit that crosses them', ({ expectObservable }) => {
    // 4 × 15 ms cross 50 ms: 4 units a slice, 8 in two, the end in the third.
    const { steps, slices } = work(8, 15);
    expectObservable(inSlices(steps, slices)).toBe('--(v|)');
  });

  marble('does not cut a unit', ({ expectObservable }) => {
    const { steps, slices } = work(3, 1000);
    expectObservable(inSlices(steps, slices)).toBe('---(v|)');
  });

  marble('passes on what the work throws, in any slice', ({ expectObservable }) => {
    const { slices } = work(0, 0);
    const throwing = function* (after: number): Generator<void, string> {
      for (let i = 0; i < after; i += 1) yield;
      throw new Error('broken');
    };
    expectObservable(inSlices(() => throwing(0), slices)).toBe('#', undefined, new Error('broken'));
    expectObservable(inSlices(() => throwing(3), slices)).toBe('#', undefined, new Error('broken'));
  });

  marble('passes on a failure to yield', ({ cold, expectObservable }) => {
    const { steps, slices } = work(100, 20);
    expectObservable(inSlices(steps, { ...slices, yieldThread: () => cold('--#') })).toBe('--#');
  });

  marble('stops between slices when unsubscribed', ({ expectObservable, flush }) => {
    const { steps, slices, done } = work(100, 25);
    const unsub = '        ^--!';
    const expected = '     ----';
    expectObservable(inSlices(steps, slices), unsub).toBe(expected);
    flush();
    // Slices at 0, 1 and 2 ms of two units each.
    expect(done).toEqual([1, 2, 3, 4, 5, 6]);
  });

  marble('starts the work anew for each subscriber', ({ expectObservable, flush }) => {
    const { steps, slices, done } = work(2, 1);
    const result$ = inSlices(steps, slices);
    expect(done).toEqual([]);
    expectObservable(result$).toBe('       (v|)');
    expectObservable(result$, '-^').toBe('-(v|)');
    flush();
    expect(done).toEqual([1, 2, 1, 2]);
  });
});
