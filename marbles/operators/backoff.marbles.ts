import { retry, timer } from 'rxjs';

import { backoffMs } from '../../src/operators/backoff';
import { marble } from '../support/marbles';

describe('backoffMs', () => {
  marble('repeats after 1 s, then every 2.5 s', ({ cold, expectObservable, expectSubscriptions }) => {
    const source$ = cold('#');
    const unsub = '        ^ 6999ms           !';
    const subs = [
      '                    (^!)',
      '                    1s (^!)',
      '                    3500ms (^!)',
      '                    6s (^!)',
    ];
    expectObservable(source$.pipe(retry({ delay: (_, count) => timer(backoffMs(count, 0)) })), unsub).toBe('-');
    expectSubscriptions(source$.subscriptions).toBe(subs);
  });

  it.each([
    [0, 1000],
    [1, 1000],
    [2, 2500],
    [5, 2500],
    [6, 3750],
    [7, 5625],
    [12, 42_714.84375],
    [13, 60_000],
    [10_000, 60_000],
  ])('waits before repetition %i: %d ms', (count, ms) => {
    expect(backoffMs(count, 0)).toBe(ms);
  });

  it.each([
    [1, 0.5, 900],
    [1, 1, 800],
    [13, 1, 48_000],
  ])('shortens the wait before repetition %i by up to a fifth: random %d gives %d ms', (count, random, ms) => {
    expect(backoffMs(count, random)).toBe(ms);
  });
});
