import { map, mergeMap } from 'rxjs';

import { bufferBurst, maxBurst } from '../../src/operators/bufferBurst';
import { marble } from '../support/marbles';

describe('gather', () => {
  const gathered = {
    x: { values: ['a', 'b'], flushed: undefined },
    y: { values: ['c'], flushed: 'f' },
    z: { values: [], flushed: 'f' },
    c: { values: ['c'], flushed: undefined },
    d: { values: ['d'], flushed: undefined },
  };

  marble('takes a burst together, and ends it when it is flushed', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -ab-----c-----');
    const flush$ = hot('   ---------f--f-');
    const unsub = '        ^------------!';
    const expected = '     ----x----y--z-';
    expectObservable(source$.pipe(bufferBurst(3, flush$)), unsub).toBe(expected, gathered);
    expectSubscriptions(source$.subscriptions).toBe(unsub);
    expectSubscriptions(flush$.subscriptions).toBe(unsub);
  });

  marble('waits anew after each burst, not after a flush', ({ hot, expectObservable }) => {
    const source$ = hot('  c----d---');
    const expected = '     ---c----d';
    expectObservable(source$.pipe(bufferBurst(3, hot('-')))).toBe(expected, gathered);
  });

  marble('waits 50 ms for the task queue (spec C§4)', ({ hot, expectObservable }) => {
    const source$ = hot('  a 48ms b-c');
    const expected = '     50ms x 50ms c';
    expectObservable(source$.pipe(bufferBurst(50, hot('-')))).toBe(expected, gathered);
  });

  marble('gives no more than a thousand at a time, and at a flush what is left', ({ hot, expectObservable }) => {
    const many = Array.from({ length: 2500 }, (_, i) => i);
    const sizes = { a: [0, 1000], b: [1000, 1000], c: [2000, 501], d: [2000, 500], e: [undefined, 0] };
    const sized = (flush: string) =>
      hot('-mo').pipe(
        mergeMap((name) => (name === 'm' ? many : [2500])),
        bufferBurst(3, hot(flush)),
        map(({ values }) => [values[0], values.length]),
      );
    expect(maxBurst).toBe(1000);
    expectObservable(sized('-')).toBe('----(abc)', sizes);
    expectObservable(
      hot('-m').pipe(
        mergeMap(() => many),
        bufferBurst(3, hot('----------f')),
        map(({ values }) => [values[0], values.length]),
      ),
    ).toBe('----(abd)-e', sizes);
    expectObservable(
      hot('-m').pipe(
        mergeMap(() => many),
        bufferBurst(3, hot('--f')),
        map(({ values }) => values.length),
      ),
    ).toBe('--n', { n: 2500 });
  });

  marble('says nothing where nothing comes', ({ hot, expectObservable }) => {
    expectObservable(hot('-').pipe(bufferBurst(3, hot('-')))).toBe('-');
  });

  marble('gathers for each of its readers', ({ cold, expectObservable }) => {
    const both$ = cold('ab').pipe(bufferBurst(3, cold('-')));
    expectObservable(both$).toBe('---x', gathered);
    expectObservable(both$).toBe('---x', gathered);
  });

  marble('gives what it has when its sources complete, and drops it at an error', ({ cold, expectObservable }) => {
    expectObservable(cold('ab|').pipe(bufferBurst(3, cold('|')))).toBe('---(x|)', gathered);
    expectObservable(cold('ab#').pipe(bufferBurst(3, cold('|')))).toBe('--#');
  });
});
