import { focusMoments, oneClickEach } from '../../../src/addons/adServer/clicks';
import { marble } from '../../support/marbles';

const each = oneClickEach((click: string) => click);

describe('oneClickEach', () => {
  marble('lets the first of several clicks on one ad through', ({ hot, expectObservable, expectSubscriptions }) => {
    const click$ = hot(' a-a-b-ba|');
    const expected = '   a---b---|';
    expectObservable(click$.pipe(each)).toBe(expected);
    expectSubscriptions(click$.subscriptions).toBe('^-------!');
  });

  marble('counts again 1000 ms after the click that counted', ({ hot, expectObservable }) => {
    expectObservable(hot('a 998ms a').pipe(each)).toBe('a');
    expectObservable(hot('a 999ms a').pipe(each)).toBe('a 999ms a');
    expectObservable(hot('a 599ms a 599ms a').pipe(each)).toBe('a 1199ms a');
  });

  marble('has nothing to say of nothing, and passes an error on', ({ cold, hot, expectObservable }) => {
    expectObservable(cold('---|').pipe(each)).toBe('---|');
    expectObservable(hot('-').pipe(each)).toBe('-');
    expectObservable(hot('-a-#').pipe(each)).toBe('-a-#');
  });

  marble('remembers nothing from one listener to the next', ({ cold, expectObservable }) => {
    const clicked$ = cold('a').pipe(each);
    expectObservable(clicked$).toBe('a');
    expectObservable(clicked$, '--^').toBe('--a');
  });

  marble('lets go of the source when unsubscribed early', ({ hot, expectObservable, expectSubscriptions }) => {
    const click$ = hot('a-b-c');
    const unsub = '     ^--!';
    expectObservable(click$.pipe(each), unsub).toBe('a-b');
    expectSubscriptions(click$.subscriptions).toBe(unsub);
  });
});

describe('focusMoments', () => {
  marble('asks at once, and again when the browser has moved the focus', ({ hot, expectObservable }) => {
    expectObservable(focusMoments(hot('-b-----b'))).toBe('-(zz)--(zz)', { z: 0 });
  });
});
