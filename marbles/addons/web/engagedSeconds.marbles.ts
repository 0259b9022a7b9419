import { asyncScheduler } from 'rxjs';

import { engagedSeconds } from '../../../src/addons/web/engagedSeconds';
import { marble } from '../../support/marbles';

const visible = (): boolean => true;
const hidden = (): boolean => false;
/** Letters for seconds. */
const seconds = { a: 1, b: 2, c: 3, d: 4, e: 5 };

describe('engagedSeconds', () => {
  marble('tells every 5 s how long the page was visible, if the visitor did anything', ({ hot, expectObservable }) => {
    const activity$ = hot('--a                ');
    const unsub = '        ^ 30s !            ';
    const expected = '     5s e               ';
    expectObservable(activity$.pipe(engagedSeconds(visible)), unsub).toBe(expected, seconds);
  });

  marble('tells nothing without activity', ({ hot, expectObservable }) => {
    expectObservable(hot('-').pipe(engagedSeconds(visible)), '^ 30s !').toBe('-');
  });

  marble('tells once for much activity, and again for activity in the next 5 s', ({ hot, expectObservable }) => {
    const activity$ = hot('a 1s aaa 3s - 1s a ');
    const expected = '     5s e 4999ms e       ';
    expectObservable(activity$.pipe(engagedSeconds(visible)), '^ 30s !').toBe(expected, seconds);
  });

  marble('counts activity of each 5 s for those alone', ({ hot, expectObservable }) => {
    // 4999 ms belong to the first 5 s, 5001 ms to the next.
    const activity$ = hot('4999ms a - a       ');
    const expected = '     5s e 4999ms e      ';
    expectObservable(activity$.pipe(engagedSeconds(visible)), '^ 30s !').toBe(expected, seconds);
  });

  marble('does not count hidden seconds', ({ hot, expectObservable }) => {
    // The page is hidden at 2 s and 3 s, and visible again at 4 s.
    const isVisible = (): boolean => asyncScheduler.now() < 1500 || asyncScheduler.now() > 3500;
    const activity$ = hot('a                  ');
    const expected = '     5s c               ';
    expectObservable(activity$.pipe(engagedSeconds(isVisible)), '^ 30s !').toBe(expected, seconds);
  });

  marble('tells nothing of 5 s that were all hidden', ({ hot, expectObservable }) => {
    expectObservable(hot('a 5s a').pipe(engagedSeconds(hidden)), '^ 30s !').toBe('-');
  });

  marble('does not carry seconds without activity over', ({ hot, expectObservable }) => {
    const activity$ = hot('7s a               ');
    const expected = '     10s e              ';
    expectObservable(activity$.pipe(engagedSeconds(visible)), '^ 30s !').toBe(expected, seconds);
  });

  marble('goes on when the activity ends', ({ cold, expectObservable }) => {
    expectObservable(cold('a|').pipe(engagedSeconds(visible)), '^ 30s !').toBe('5s e', seconds);
    expectObservable(cold('|').pipe(engagedSeconds(visible)), '^ 30s !').toBe('-');
  });

  marble('passes an error on', ({ cold, expectObservable }) => {
    expectObservable(cold('a-#').pipe(engagedSeconds(visible))).toBe('--#');
  });

  marble(
    'lets go of the activity when unsubscribed early, and counts no longer',
    ({ hot, expectObservable, expectSubscriptions, flush }) => {
      const isVisible = jest.fn(visible);
      const activity$ = hot('a 9s               ');
      const unsub = '        ^ 2500ms !         ';
      expectObservable(activity$.pipe(engagedSeconds(isVisible)), unsub).toBe('-');
      expectSubscriptions(activity$.subscriptions).toBe(unsub);
      flush();
      expect(isVisible).toHaveBeenCalledTimes(2);
    },
  );
});
