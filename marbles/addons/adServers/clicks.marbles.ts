import { focusMoments, oneClickEach } from '../../../src/addons/adServers/clicks';
import { marbles } from '../../support/marbles';

const each = oneClickEach((click: string) => click);

describe('oneClickEach', () => {
  it('lets the first of several clicks on one ad through', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const click$ = hot(' a-a-b-ba|');
    const expected = '   a---b---|';
    expectObservable(click$.pipe(each)).toBe(expected);
    expectSubscriptions(click$.subscriptions).toBe('^-------!');
  }));

  it('counts again 1000 ms after the click that counted', marbles(({ hot, expectObservable }) => {
    expectObservable(hot('a 998ms a').pipe(each)).toBe('a');
    expectObservable(hot('a 999ms a').pipe(each)).toBe('a 999ms a');
    expectObservable(hot('a 599ms a 599ms a').pipe(each)).toBe('a 1199ms a');
  }));

  it('has nothing to say of nothing, and passes an error on', marbles(({ cold, hot, expectObservable }) => {
    expectObservable(cold('---|').pipe(each)).toBe('---|');
    expectObservable(hot('-').pipe(each)).toBe('-');
    expectObservable(hot('-a-#').pipe(each)).toBe('-a-#');
  }));

  it('remembers nothing from one listener to the next', marbles(({ cold, expectObservable }) => {
    const clicked$ = cold('a').pipe(each);
    expectObservable(clicked$).toBe('a');
    expectObservable(clicked$, '--^').toBe('--a');
  }));

  it('lets go of the source when unsubscribed early', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const click$ = hot('a-b-c');
    const unsub = '     ^--!';
    expectObservable(click$.pipe(each), unsub).toBe('a-b');
    expectSubscriptions(click$.subscriptions).toBe(unsub);
  }));
});

describe('focusMoments', () => {
  it('asks at once, and again when the browser has moved the focus', marbles(({ hot, expectObservable }) => {
    expectObservable(focusMoments(hot('-b-----b'))).toBe('-(zz)--(zz)', { z: 0 });
  }));
});
