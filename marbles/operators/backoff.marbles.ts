import { retry, timer } from 'rxjs';
import { backoffMs } from '../../src/operators/backoff';
import { marbles } from '../support/marbles';

describe('backoffMs', () => {
  it('repeats after 1 s, then half as long again each time', marbles(({ cold, expectObservable, expectSubscriptions }) => {
    const source$ = cold('#');
    const unsub = '        ^ 4999ms           !';
    const subs = [
      '                    (^!)',
      '                    1s (^!)',
      '                    2500ms (^!)',
      '                    4750ms (^!)',
    ];
    expectObservable(source$.pipe(retry({ delay: (_, count) => timer(backoffMs(count, 0)) })), unsub).toBe('-');
    expectSubscriptions(source$.subscriptions).toBe(subs);
  }));

  it.each([
    [1, 1000],
    [2, 1500],
    [3, 2250],
    [10, 38_443.359375],
    [11, 57_665.0390625],
    [12, 60_000],
    [13, 60_000],
    [10_000, 60_000],
  ])('waits before repetition %i: %d ms', (count, ms) => {
    expect(backoffMs(count, 0)).toBe(ms);
  });

  it.each([
    [1, 0.5, 900],
    [1, 1, 800],
    [12, 1, 48_000],
  ])('shortens the wait before repetition %i by up to a fifth: random %d gives %d ms', (count, random, ms) => {
    expect(backoffMs(count, random)).toBe(ms);
  });
});
