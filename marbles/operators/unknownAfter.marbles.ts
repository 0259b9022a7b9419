import type { Observable } from 'rxjs';
import { map } from 'rxjs';

import { unknownAfter } from '../../src/operators/unknownAfter';
import { marble } from '../support/marbles';

/** Values as they are, and u for what is unknown. */
const within = (ms: number) => (source$: Observable<string>) =>
  source$.pipe(
    unknownAfter(ms),
    map((answer) => (answer.isKnown ? answer.value : 'u')),
  );

describe('unknownAfter', () => {
  marble(
    'says that the answer is unknown, and takes it when it comes',
    ({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot(' -----a-b|');
      const expected = '    ---u-a-b|';
      const subs = '        ^-------!';
      expectObservable(source$.pipe(within(3))).toBe(expected);
      expectSubscriptions(source$.subscriptions).toBe(subs);
    },
  );

  marble('says nothing of an answer that comes in time', ({ hot, cold, expectObservable }) => {
    expectObservable(hot(' -----a-b|').pipe(within(9))).toBe('-----a-b|');
    expectObservable(cold('--a').pipe(within(3))).toBe('       --a');
    expectObservable(cold('(a|)').pipe(within(3))).toBe('      (a|)');
  });

  marble('ends with a source that has no value', ({ hot, cold, expectObservable }) => {
    expectObservable(hot(' -|').pipe(within(3))).toBe('-|');
    expectObservable(cold('----|').pipe(within(3))).toBe('---u|');
  });

  marble('says it once of a source that never answers', ({ cold, expectObservable }) => {
    expectObservable(cold('-').pipe(within(3)), '^ 50ms !').toBe('---u');
  });

  marble('passes an error on', ({ hot, expectObservable }) => {
    expectObservable(hot('-#').pipe(within(3))).toBe('-#');
    expectObservable(hot('-----#').pipe(within(3))).toBe('---u-#');
  });

  marble('lets go of the source when unsubscribed early', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot(' -----a');
    const unsub = '       ^-!   ';
    expectObservable(source$.pipe(within(3)), unsub).toBe('---');
    expectSubscriptions(source$.subscriptions).toBe(unsub);
  });
});
