import { debounceWithMax } from '../../src/operators/debounceWithMax';
import { marbles } from '../support/marbles';

describe('debounceWithMax', () => {
  it('gives a restless burst at most the maximum', marbles(({ hot, expectObservable }) => {
    const source$ = hot('  a-b-c-----d|');
    const expected = '     -----c-----(d|)';
    expectObservable(source$.pipe(debounceWithMax(3, 5))).toBe(expected);
  }));

  it('waits for quiet', marbles(({ hot, time, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-b-------|');
    const quiet = time('      ---|     ');
    const expected = '     ------b----|';
    const subs = '         ^----------!';
    expectObservable(source$.pipe(debounceWithMax(quiet, 100))).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(subs);
  }));

  it('starts over after each burst', marbles(({ hot, expectObservable }) => {
    const source$ = hot('  a-----b-c------');
    const expected = '     ---a-------c---';
    expectObservable(source$.pipe(debounceWithMax(3, 9))).toBe(expected);
  }));

  it('counts the maximum from the first value of a burst, however often it is repeated', marbles(({ hot, expectObservable }) => {
    const source$ = hot('  ababababababab----');
    const expected = '     ----a----b----b---';
    expectObservable(source$.pipe(debounceWithMax(3, 4))).toBe(expected);
  }));

  it('completes with an empty source', marbles(({ cold, expectObservable }) => {
    expectObservable(cold('-----|').pipe(debounceWithMax(1, 2))).toBe('-----|');
  }));

  it('never emits without a value', marbles(({ hot, expectObservable }) => {
    expectObservable(hot('-').pipe(debounceWithMax(1, 2))).toBe('-');
  }));

  it('passes an error on at once, dropping what is pending', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-#');
    const expected = '     ---#';
    const subs = '         ^--!';
    expectObservable(source$.pipe(debounceWithMax(5, 9))).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(subs);
  }));

  it('flushes what is pending at completion', marbles(({ hot, expectObservable }) => {
    const source$ = hot('  -a-b|');
    const expected = '     ----(b|)';
    expectObservable(source$.pipe(debounceWithMax(5, 9))).toBe(expected);
  }));

  it('lets go of the source when unsubscribed early', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-b-c-d-');
    const unsub = '        ^---!    ';
    const expected = '     -----    ';
    expectObservable(source$.pipe(debounceWithMax(3, 5)), unsub).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(unsub);
  }));

  it('keeps each subscriber’s time for itself', marbles(({ cold, hot, expectObservable }) => {
    const source$ = cold(' a-----b-----').pipe(debounceWithMax(3, 9));
    const late$ = hot('    ^           ');
    expectObservable(source$).toBe('         ---a-----b--');
    expectObservable(source$, '--^').toBe('  -----a-----b');
    expectObservable(late$).toBe('-');
  }));

  it('writes local storage after 1000 ms of quiet, at the latest after 1500 ms', marbles(({ hot, expectObservable }) => {
    const quiet$ = hot('   a 999ms - 10s                       ');
    const restless$ = hot('a 799ms b 799ms c 799ms d 5s        ');
    expectObservable(quiet$.pipe(debounceWithMax(1000, 1500))).toBe('   1000ms a');
    expectObservable(restless$.pipe(debounceWithMax(1000, 1500))).toBe('1500ms b 1599ms d');
  }));
});
