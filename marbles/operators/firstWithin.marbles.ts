import { firstWithin } from '../../src/operators/firstWithin';
import { marble } from '../support/marbles';

const late = new Error('late');
const within = (ms: number) => firstWithin<string>(ms, () => late);

describe('firstWithin', () => {
  marble('errors where nothing has come in time', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot(' -----a-b|');
    const subs = '        ^--!     ';
    expectObservable(source$.pipe(within(3))).toBe('---#', {}, late);
    expectSubscriptions(source$.subscriptions).toBe(subs);
  });

  marble('asks for the first value only', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot(' --a---------b|');
    const expected = '    --a---------b|';
    const subs = '        ^------------!';
    expectObservable(source$.pipe(within(3))).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(subs);
  });

  marble('ends with a source that has no value', ({ hot, cold, expectObservable }) => {
    expectObservable(hot(' -|').pipe(within(3))).toBe('-|');
    expectObservable(cold('|').pipe(within(3))).toBe('|');
  });

  marble('takes a value at once', ({ cold, expectObservable }) => {
    expectObservable(cold('(a|)').pipe(within(3))).toBe('(a|)');
  });

  marble('passes an error on', ({ hot, expectObservable }) => {
    expectObservable(hot('-#').pipe(within(3))).toBe('-#');
  });

  marble('lets go of the source when unsubscribed early', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot(' -----a');
    const unsub = '       ^-!   ';
    expectObservable(source$.pipe(within(3)), unsub).toBe('---');
    expectSubscriptions(source$.subscriptions).toBe(unsub);
  });
});
