import { EMPTY, NEVER, of } from 'rxjs';

import { exhaustLatest } from '../../src/operators/exhaustLatest';
import { marble } from '../support/marbles';

describe('coalesce', () => {
  marble('works on what comes meanwhile once more, with the latest value', ({ hot, cold, expectObservable }) => {
    const source$ = hot('  abc-------d|         ');
    const work = '         ---(x|)              ';
    const expected = '     ---A--C------(D|)    ';
    const results = { a: 'A', b: 'B', c: 'C', d: 'D' } as const;
    expectObservable(source$.pipe(exhaustLatest((latest) => cold(work, { x: results[latest as 'a'] })))).toBe(expected);
  });

  marble('has one run at a time', ({ hot, cold, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-b-c---d-----');
    const work$ = cold('    ----|         ');
    const subs = [
      '                    -^---!         ',
      '                    -----^---!     ',
      '                    ---------^---! ',
    ];
    expectObservable(source$.pipe(exhaustLatest(() => work$))).toBe('-');
    // What comes in the frame in which a run ends (c, d) is worked on after it.
    expectSubscriptions(work$.subscriptions).toBe(subs);
  });

  marble('does not wait where nothing came meanwhile', ({ hot, cold, expectObservable }) => {
    const source$ = hot('  a-----b---');
    const expected = '     --a-----b-';
    expectObservable(source$.pipe(exhaustLatest((latest) => cold('--(x|)', { x: latest })))).toBe(expected);
  });

  marble('finishes its work after completion of the source', ({ hot, cold, expectObservable }) => {
    const source$ = hot('  ab|        ');
    const expected = '     ----a---(b|)';
    expectObservable(source$.pipe(exhaustLatest((latest) => cold('----(x|)', { x: latest })))).toBe(expected);
  });

  marble('completes with an empty source', ({ cold, expectObservable }) => {
    expectObservable(cold('---|').pipe(exhaustLatest(() => of('x')))).toBe('---|');
  });

  marble('never works without a value', ({ hot, expectObservable }) => {
    const work = jest.fn(() => EMPTY);
    expectObservable(hot('-').pipe(exhaustLatest(work))).toBe('-');
    expect(work).not.toHaveBeenCalled();
  });

  marble('passes an error of the source on at once', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-#');
    const expected = '     ---#';
    const subs = '         ^--!';
    expectObservable(source$.pipe(exhaustLatest(() => NEVER))).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(subs);
  });

  marble('passes an error of the work on', ({ hot, cold, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a---b');
    const expected = '     ---#  ';
    const subs = '         ^--!  ';
    expectObservable(source$.pipe(exhaustLatest(() => cold('--#')))).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(subs);
  });

  marble('stops the work when unsubscribed early', ({ hot, cold, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-b----');
    const work$ = cold('    -----x|');
    const unsub = '        ^---!   ';
    const workSubs = '     -^--!   ';
    expectObservable(source$.pipe(exhaustLatest(() => work$)), unsub).toBe('-');
    expectSubscriptions(source$.subscriptions).toBe(unsub);
    expectSubscriptions(work$.subscriptions).toBe(workSubs);
  });

  marble('keeps what waits per subscriber', ({ cold, expectObservable }) => {
    const work = '              ---(x|)     ';
    const result$ = cold('      ab|         ').pipe(exhaustLatest((latest) => cold(work, { x: latest })));
    expectObservable(result$).toBe('           ---a--(b|)   ');
    expectObservable(result$, '--^').toBe('    -----a--(b|) ');
  });

  marble('works at once where the work takes no time', ({ hot, expectObservable }) => {
    const source$ = hot('  ab-(cd)|');
    const expected = '     ab-(cd)|';
    expectObservable(source$.pipe(exhaustLatest((latest) => of(latest)))).toBe(expected);
  });
});
