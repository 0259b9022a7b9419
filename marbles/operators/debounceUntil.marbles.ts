import { debounceUntil } from '../../src/operators/debounceUntil';
import { marble } from '../support/marbles';

describe('debounceUntil', () => {
  marble('waits for quiet, or until it is flushed', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  a-b-------c|   ');
    const flush$ = hot('   ---f--------   ');
    const expected = '     ---b-------(c|)';
    const flushSubs = [
      '                    ^-!            ',
      '                    --^!           ',
      '                    ----------^!   ',
    ];
    expectObservable(source$.pipe(debounceUntil(5, flush$))).toBe(expected);
    expectSubscriptions(flush$.subscriptions).toBe(flushSubs);
  });

  marble('emits once quiet', ({ hot, expectObservable }) => {
    const source$ = hot('  a-b--------c------');
    const flush$ = hot('   ------------------');
    const expected = '     -------b--------c-';
    expectObservable(source$.pipe(debounceUntil(5, flush$))).toBe(expected);
  });

  marble('has nothing to flush before a value, after the last one, and twice', ({ hot, expectObservable }) => {
    const source$ = hot('  --a-------');
    const flush$ = hot('   f--ff----f');
    const expected = '     ---a------';
    expectObservable(source$.pipe(debounceUntil(5, flush$))).toBe(expected);
  });

  marble('emits at the latest when the first pending value has waited for the maximum', ({ hot, expectObservable }) => {
    const source$ = hot('  abcdefghijkl---------');
    const flush$ = hot('   ---------------------');
    const expected = '     --------i-------l----';
    expectObservable(source$.pipe(debounceUntil(5, flush$, 8))).toBe(expected);
  });

  marble('counts the maximum from the first value after the last emission', ({ hot, expectObservable }) => {
    const source$ = hot('  a-------b-b-b-b-b-b---------');
    const flush$ = hot('   ---f------------------------');
    const expected = '     ---a-------------b-----b----';
    expectObservable(source$.pipe(debounceUntil(5, flush$, 9))).toBe(expected);
  });

  marble('completes with an empty source', ({ cold, hot, expectObservable }) => {
    expectObservable(cold('---|').pipe(debounceUntil(5, hot('-f-')))).toBe('---|');
  });

  marble('never emits without a value', ({ hot, expectObservable }) => {
    expectObservable(hot('-').pipe(debounceUntil(5, hot('-f-')))).toBe('-');
  });

  marble('passes an error on at once, dropping what is pending', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-#');
    const expected = '     ---#';
    const subs = '         ^--!';
    expectObservable(source$.pipe(debounceUntil(5, hot('-')))).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(subs);
  });

  marble('lets go of source and flush when unsubscribed early', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a----');
    const flush$ = hot('   ----f-');
    const unsub = '        ^--!  ';
    const flushSubs = '    -^-!  ';
    const expected = '     ------';
    expectObservable(source$.pipe(debounceUntil(5, flush$)), unsub).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(unsub);
    expectSubscriptions(flush$.subscriptions).toBe(flushSubs);
  });

  marble('saves the engine’s state after 5000 ms of quiet, and at once when flushed', ({ hot, expectObservable }) => {
    const source$ = hot('  a 5000ms b 99ms c 10s - ');
    const flush$ = hot('   5200ms f               ');
    const expected = '     5s a 199ms c           ';
    expectObservable(source$.pipe(debounceUntil(5000, flush$))).toBe(expected);
  });
});
