import { gather } from '../../src/operators/gather';
import { marbles } from '../support/marbles';

describe('gather', () => {
  const gathered = {
    x: { values: ['a', 'b'] },
    y: { values: ['c'], flushed: 'f' },
    z: { values: [], flushed: 'f' },
    c: { values: ['c'] },
    d: { values: ['d'] },
  };

  it('takes a burst together, and ends it when it is flushed', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -ab-----c-----');
    const flush$ = hot('   ---------f--f-');
    const unsub = '        ^------------!';
    const expected = '     ----x----y--z-';
    expectObservable(source$.pipe(gather(3, flush$)), unsub).toBe(expected, gathered);
    expectSubscriptions(source$.subscriptions).toBe(unsub);
    expectSubscriptions(flush$.subscriptions).toBe(unsub);
  }));

  it('waits anew after each burst, not after a flush', marbles(({ hot, expectObservable }) => {
    const source$ = hot('  c----d---');
    const expected = '     ---c----d';
    expectObservable(source$.pipe(gather(3, hot('-')))).toBe(expected, gathered);
  }));

  it('waits 50 ms for the task queue (spec C§4)', marbles(({ hot, expectObservable }) => {
    const source$ = hot('  a 48ms b-c');
    const expected = '     50ms x 50ms c';
    expectObservable(source$.pipe(gather(50, hot('-')))).toBe(expected, gathered);
  }));

  it('says nothing where nothing comes', marbles(({ hot, expectObservable }) => {
    expectObservable(hot('-').pipe(gather(3, hot('-')))).toBe('-');
  }));

  it('gathers for each of its readers', marbles(({ cold, expectObservable }) => {
    const both$ = cold('ab').pipe(gather(3, cold('-')));
    expectObservable(both$).toBe('---x', gathered);
    expectObservable(both$).toBe('---x', gathered);
  }));

  it('gives what it has when its sources complete, and drops it at an error', marbles(({ cold, expectObservable }) => {
    expectObservable(cold('ab|').pipe(gather(3, cold('|')))).toBe('---(x|)', gathered);
    expectObservable(cold('ab#').pipe(gather(3, cold('|')))).toBe('--#');
  }));
});
