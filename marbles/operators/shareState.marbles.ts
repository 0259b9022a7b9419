import { take } from 'rxjs';

import { shareState } from '../../src/operators/shareState';
import { marble } from '../support/marbles';

describe('remember', () => {
  marble('gives a late reader the current value, until the stop', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a------b---c');
    const stop$ = hot('    ----------s  ');
    const sourceSubs = '   ^---------!  ';
    const early = '        -a------b-|  ';
    const lateSub = '      ----^        ';
    const late = '         ----a---b-|  ';
    const state$ = source$.pipe(shareState(stop$));
    expectObservable(state$).toBe(early);
    expectObservable(state$, lateSub).toBe(late);
    expectSubscriptions(source$.subscriptions).toBe(sourceSubs);
  });

  marble('keeps the source while nobody reads', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a---b---c');
    const stop$ = hot('    --------s ');
    const sourceSubs = '   ^-------! ';
    const state$ = source$.pipe(shareState(stop$));
    expectObservable(state$.pipe(take(1))).toBe('-(a|)');
    expectObservable(state$, '------^').toBe('   ------b-|');
    expectSubscriptions(source$.subscriptions).toBe(sourceSubs);
  });

  marble('gives the last value to whoever reads after the stop', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a--------');
    const stop$ = hot('    ---s------');
    const sourceSubs = '   ^--!      ';
    const state$ = source$.pipe(shareState(stop$));
    expectObservable(state$).toBe('              -a-|      ');
    expectObservable(state$, '-----^').toBe('    -----(a|) ');
    expectSubscriptions(source$.subscriptions).toBe(sourceSubs);
  });

  marble('gives late readers nothing but the end of an empty source', ({ cold, hot, expectObservable }) => {
    const state$ = cold('  --|').pipe(shareState(hot('-')));
    expectObservable(state$).toBe('        --|   ');
    expectObservable(state$, '----^').toBe('----| ');
  });

  marble('has nothing to give before the first value', ({ hot, expectObservable }) => {
    const state$ = hot('   -').pipe(shareState(hot('---s')));
    expectObservable(state$).toBe('        ---|');
    expectObservable(state$, '-^').toBe('  ---|');
  });

  marble('gives value and error to late readers too', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-#  ');
    const sourceSubs = '   ^--!  ';
    const state$ = source$.pipe(shareState(hot('-')));
    expectObservable(state$).toBe('             -a-#  ');
    expectObservable(state$, '-----^').toBe('   -----(a#)');
    expectSubscriptions(source$.subscriptions).toBe(sourceSubs);
  });

  marble(
    'does not let go of the source when a reader leaves early, but at the stop',
    ({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('  -a--b--c-');
      const stop$ = hot('    ------s--');
      const unsub = '        ^--!     ';
      const expected = '     -a-------';
      const sourceSubs = '   ^-----!  ';
      expectObservable(source$.pipe(shareState(stop$)), unsub).toBe(expected);
      expectSubscriptions(source$.subscriptions).toBe(sourceSubs);
    },
  );

  marble('asks for nothing before the first reader', ({ cold, hot, expectObservable, expectSubscriptions }) => {
    const source$ = cold('    -a--');
    const state$ = source$.pipe(shareState(hot('------s')));
    expectObservable(state$, '--^').toBe('---a--|');
    expectSubscriptions(source$.subscriptions).toBe('--^---!');
  });
});
