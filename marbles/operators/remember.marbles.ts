import { take } from 'rxjs';
import { remember } from '../../src/operators/remember';
import { marbles } from '../support/marbles';

describe('remember', () => {
  it('gives a late reader the current value, until the stop', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a------b---c');
    const stop$ = hot('    ----------s  ');
    const sourceSubs = '   ^---------!  ';
    const early = '        -a------b-|  ';
    const lateSub = '      ----^        ';
    const late = '         ----a---b-|  ';
    const state$ = source$.pipe(remember(stop$));
    expectObservable(state$).toBe(early);
    expectObservable(state$, lateSub).toBe(late);
    expectSubscriptions(source$.subscriptions).toBe(sourceSubs);
  }));

  it('keeps the source while nobody reads', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a---b---c');
    const stop$ = hot('    --------s ');
    const sourceSubs = '   ^-------! ';
    const state$ = source$.pipe(remember(stop$));
    expectObservable(state$.pipe(take(1))).toBe('-(a|)');
    expectObservable(state$, '------^').toBe('   ------b-|');
    expectSubscriptions(source$.subscriptions).toBe(sourceSubs);
  }));

  it('gives the last value to whoever reads after the stop', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a--------');
    const stop$ = hot('    ---s------');
    const sourceSubs = '   ^--!      ';
    const state$ = source$.pipe(remember(stop$));
    expectObservable(state$).toBe('              -a-|      ');
    expectObservable(state$, '-----^').toBe('    -----(a|) ');
    expectSubscriptions(source$.subscriptions).toBe(sourceSubs);
  }));

  it('gives late readers nothing but the end of an empty source', marbles(({ cold, hot, expectObservable }) => {
    const state$ = cold('  --|').pipe(remember(hot('-')));
    expectObservable(state$).toBe('        --|   ');
    expectObservable(state$, '----^').toBe('----| ');
  }));

  it('has nothing to give before the first value', marbles(({ hot, expectObservable }) => {
    const state$ = hot('   -').pipe(remember(hot('---s')));
    expectObservable(state$).toBe('        ---|');
    expectObservable(state$, '-^').toBe('  ---|');
  }));

  it('gives value and error to late readers too', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-#  ');
    const sourceSubs = '   ^--!  ';
    const state$ = source$.pipe(remember(hot('-')));
    expectObservable(state$).toBe('             -a-#  ');
    expectObservable(state$, '-----^').toBe('   -----(a#)');
    expectSubscriptions(source$.subscriptions).toBe(sourceSubs);
  }));

  it('does not let go of the source when a reader leaves early, but at the stop', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a--b--c-');
    const stop$ = hot('    ------s--');
    const unsub = '        ^--!     ';
    const expected = '     -a-------';
    const sourceSubs = '   ^-----!  ';
    expectObservable(source$.pipe(remember(stop$)), unsub).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(sourceSubs);
  }));

  it('asks for nothing before the first reader', marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
    const source$ = cold('    -a--');
    const state$ = source$.pipe(remember(hot('------s')));
    expectObservable(state$, '--^').toBe('---a--|');
    expectSubscriptions(source$.subscriptions).toBe('--^---!');
  }));
});
