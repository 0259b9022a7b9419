import { EMPTY, NEVER, of } from 'rxjs';
import { coalesce } from '../../src/operators/coalesce';
import { marbles } from '../support/marbles';

describe('coalesce', () => {
  it('works on what comes meanwhile once more, with the latest value', marbles(({ hot, cold, expectObservable }) => {
    const source$ = hot('  abc-------d|         ');
    const work = '         ---(x|)              ';
    const expected = '     ---A--C------(D|)    ';
    const results = { a: 'A', b: 'B', c: 'C', d: 'D' } as const;
    expectObservable(source$.pipe(coalesce((latest) => cold(work, { x: results[latest as 'a'] })))).toBe(expected);
  }));

  it('has one run at a time', marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-b-c---d-----');
    const work$ = cold('    ----|         ');
    const subs = [
      '                    -^---!         ',
      '                    -----^---!     ',
      '                    ---------^---! ',
    ];
    expectObservable(source$.pipe(coalesce(() => work$))).toBe('-');
    // What comes in the frame in which a run ends (c, d) is worked on after it.
    expectSubscriptions(work$.subscriptions).toBe(subs);
  }));

  it('does not wait where nothing came meanwhile', marbles(({ hot, cold, expectObservable }) => {
    const source$ = hot('  a-----b---');
    const expected = '     --a-----b-';
    expectObservable(source$.pipe(coalesce((latest) => cold('--(x|)', { x: latest })))).toBe(expected);
  }));

  it('finishes its work after completion of the source', marbles(({ hot, cold, expectObservable }) => {
    const source$ = hot('  ab|        ');
    const expected = '     ----a---(b|)';
    expectObservable(source$.pipe(coalesce((latest) => cold('----(x|)', { x: latest })))).toBe(expected);
  }));

  it('completes with an empty source', marbles(({ cold, expectObservable }) => {
    expectObservable(cold('---|').pipe(coalesce(() => of('x')))).toBe('---|');
  }));

  it('never works without a value', marbles(({ hot, expectObservable }) => {
    const work = jest.fn(() => EMPTY);
    expectObservable(hot('-').pipe(coalesce(work))).toBe('-');
    expect(work).not.toHaveBeenCalled();
  }));

  it('passes an error of the source on at once', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-#');
    const expected = '     ---#';
    const subs = '         ^--!';
    expectObservable(source$.pipe(coalesce(() => NEVER))).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(subs);
  }));

  it('passes an error of the work on', marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a---b');
    const expected = '     ---#  ';
    const subs = '         ^--!  ';
    expectObservable(source$.pipe(coalesce(() => cold('--#')))).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(subs);
  }));

  it('stops the work when unsubscribed early', marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-b----');
    const work$ = cold('    -----x|');
    const unsub = '        ^---!   ';
    const workSubs = '     -^--!   ';
    expectObservable(source$.pipe(coalesce(() => work$)), unsub).toBe('-');
    expectSubscriptions(source$.subscriptions).toBe(unsub);
    expectSubscriptions(work$.subscriptions).toBe(workSubs);
  }));

  it('keeps what waits per subscriber', marbles(({ cold, expectObservable }) => {
    const work = '              ---(x|)     ';
    const result$ = cold('      ab|         ').pipe(coalesce((latest) => cold(work, { x: latest })));
    expectObservable(result$).toBe('           ---a--(b|)   ');
    expectObservable(result$, '--^').toBe('    -----a--(b|) ');
  }));

  it('works at once where the work takes no time', marbles(({ hot, expectObservable }) => {
    const source$ = hot('  ab-(cd)|');
    const expected = '     ab-(cd)|';
    expectObservable(source$.pipe(coalesce((latest) => of(latest)))).toBe(expected);
  }));
});
