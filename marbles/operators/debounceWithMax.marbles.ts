import { debounceWithMax } from '../../src/operators/debounceWithMax';
import { marble } from '../support/marbles';

describe('debounceWithMax', () => {
  marble('gives a restless burst at most the maximum', ({ hot, expectObservable }) => {
    const source$ = hot('  a-b-c-----d|');
    const expected = '     -----c-----(d|)';
    expectObservable(source$.pipe(debounceWithMax(3, 5))).toBe(expected);
  });

  marble('waits for quiet', ({ hot, time, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-b-------|');
    const quiet = time('      ---|     ');
    const expected = '     ------b----|';
    const subs = '         ^----------!';
    expectObservable(source$.pipe(debounceWithMax(quiet, 100))).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(subs);
  });

  marble('starts over after each burst', ({ hot, expectObservable }) => {
    const source$ = hot('  a-----b-c------');
    const expected = '     ---a-------c---';
    expectObservable(source$.pipe(debounceWithMax(3, 9))).toBe(expected);
  });

  marble(
    'counts the maximum from the first value of a burst, however often it is repeated',
    ({ hot, expectObservable }) => {
      const source$ = hot('  ababababababab----');
      const expected = '     ----a----b----b---';
      expectObservable(source$.pipe(debounceWithMax(3, 4))).toBe(expected);
    },
  );

  marble('completes with an empty source', ({ cold, expectObservable }) => {
    expectObservable(cold('-----|').pipe(debounceWithMax(1, 2))).toBe('-----|');
  });

  marble('never emits without a value', ({ hot, expectObservable }) => {
    expectObservable(hot('-').pipe(debounceWithMax(1, 2))).toBe('-');
  });

  marble('passes an error on at once, dropping what is pending', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-#');
    const expected = '     ---#';
    const subs = '         ^--!';
    expectObservable(source$.pipe(debounceWithMax(5, 9))).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(subs);
  });

  marble('flushes what is pending at completion', ({ hot, expectObservable }) => {
    const source$ = hot('  -a-b|');
    const expected = '     ----(b|)';
    expectObservable(source$.pipe(debounceWithMax(5, 9))).toBe(expected);
  });

  marble('lets go of the source when unsubscribed early', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-b-c-d-');
    const unsub = '        ^---!    ';
    const expected = '     -----    ';
    expectObservable(source$.pipe(debounceWithMax(3, 5)), unsub).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(unsub);
  });

  marble('keeps each subscriber’s time for itself', ({ cold, hot, expectObservable }) => {
    const source$ = cold(' a-----b-----').pipe(debounceWithMax(3, 9));
    const deferredParts$ = hot('    ^           ');
    expectObservable(source$).toBe('         ---a-----b--');
    expectObservable(source$, '--^').toBe('  -----a-----b');
    expectObservable(deferredParts$).toBe('-');
  });

  marble('writes local storage after 1000 ms of quiet, at the latest after 1500 ms', ({ hot, expectObservable }) => {
    const quiet$ = hot('   a 999ms - 10s                       ');
    const restless$ = hot('a 799ms b 799ms c 799ms d 5s        ');
    expectObservable(quiet$.pipe(debounceWithMax(1000, 1500))).toBe('   1000ms a');
    expectObservable(restless$.pipe(debounceWithMax(1000, 1500))).toBe('1500ms b 1599ms d');
  });
});
