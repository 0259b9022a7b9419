import { map, mergeMap } from 'rxjs';
import { gather, mostGathered } from '../../src/operators/gather';
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

  it('gives no more than a thousand at a time, and at a flush what is left', marbles(({ hot, expectObservable }) => {
    const many = Array.from({ length: 2500 }, (_, i) => i);
    const sizes = { a: [0, 1000], b: [1000, 1000], c: [2000, 501], d: [2000, 500], e: [undefined, 0] };
    const sized = (flush: string) => hot('-mo').pipe(mergeMap((name) => (name === 'm' ? many : [2500])), gather(3, hot(flush)), map(({ values }) => [values[0], values.length]));
    expect(mostGathered).toBe(1000);
    expectObservable(sized('-')).toBe('----(abc)', sizes);
    expectObservable(hot('-m').pipe(mergeMap(() => many), gather(3, hot('----------f')), map(({ values }) => [values[0], values.length]))).toBe('----(abd)-e', sizes);
    expectObservable(hot('-m').pipe(mergeMap(() => many), gather(3, hot('--f')), map(({ values }) => values.length))).toBe('--n', { n: 2500 });
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
