import { merge } from 'rxjs';

import { isolate } from '../../src/operators/isolate';
import { marble } from '../support/marbles';

describe('isolate', () => {
  marble('reports a failure and ends the stream', ({ hot, expectObservable, expectSubscriptions, flush }) => {
    const report = jest.fn();
    const source$ = hot('  -a-b-#');
    const expected = '     -a-b-|';
    const subs = '         ^----!';
    expectObservable(source$.pipe(isolate('It failed', report))).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(subs);
    flush();
    expect(report.mock.calls).toEqual([['It failed', 'error']]);
  });

  marble('lets the siblings of a failed stream carry on', ({ hot, expectObservable }) => {
    const failing$ = hot(' -a-#        ');
    const other$ = hot('   --b--c--|   ');
    const expected = '     -ab--c--|   ';
    expectObservable(merge(failing$.pipe(isolate('It failed', jest.fn())), other$)).toBe(expected);
  });

  marble('reports nothing where nothing failed', ({ hot, cold, expectObservable, flush }) => {
    const report = jest.fn();
    expectObservable(hot(' -a-b|').pipe(isolate('It failed', report))).toBe('-a-b|');
    expectObservable(cold('|').pipe(isolate('It failed', report))).toBe('|');
    expectObservable(hot('-').pipe(isolate('It failed', report))).toBe('-');
    flush();
    expect(report).not.toHaveBeenCalled();
  });

  marble('lets go of the source when unsubscribed early', ({ hot, expectObservable, expectSubscriptions, flush }) => {
    const report = jest.fn();
    const source$ = hot('  -a-b-#');
    const unsub = '        ^-!   ';
    const expected = '     -a----';
    expectObservable(source$.pipe(isolate('It failed', report)), unsub).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(unsub);
    flush();
    expect(report).not.toHaveBeenCalled();
  });
});
