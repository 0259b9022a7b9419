import { merge } from 'rxjs';
import { isolate } from '../../src/operators/isolate';
import { marbles } from '../support/marbles';

describe('isolate', () => {
  it('reports a failure and ends the stream', marbles(({ hot, expectObservable, expectSubscriptions, flush }) => {
    const report = jest.fn();
    const source$ = hot('  -a-b-#');
    const expected = '     -a-b-|';
    const subs = '         ^----!';
    expectObservable(source$.pipe(isolate('It failed', report))).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(subs);
    flush();
    expect(report.mock.calls).toEqual([['It failed', 'error']]);
  }));

  it('lets the siblings of a failed stream carry on', marbles(({ hot, expectObservable }) => {
    const failing$ = hot(' -a-#        ');
    const other$ = hot('   --b--c--|   ');
    const expected = '     -ab--c--|   ';
    expectObservable(merge(failing$.pipe(isolate('It failed', jest.fn())), other$)).toBe(expected);
  }));

  it('reports nothing where nothing failed', marbles(({ hot, cold, expectObservable, flush }) => {
    const report = jest.fn();
    expectObservable(hot(' -a-b|').pipe(isolate('It failed', report))).toBe('-a-b|');
    expectObservable(cold('|').pipe(isolate('It failed', report))).toBe('|');
    expectObservable(hot('-').pipe(isolate('It failed', report))).toBe('-');
    flush();
    expect(report).not.toHaveBeenCalled();
  }));

  it('lets go of the source when unsubscribed early', marbles(({ hot, expectObservable, expectSubscriptions, flush }) => {
    const report = jest.fn();
    const source$ = hot('  -a-b-#');
    const unsub = '        ^-!   ';
    const expected = '     -a----';
    expectObservable(source$.pipe(isolate('It failed', report)), unsub).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(unsub);
    flush();
    expect(report).not.toHaveBeenCalled();
  }));
});
