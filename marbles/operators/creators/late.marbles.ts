import { NEVER } from 'rxjs';

import { late } from '../../../src/operators/creators/late';
import { marble } from '../../support/marbles';

/** A load of code that makes one object after another, so that a second one would be seen. */
const counted = () => {
  let made = 0;
  return { l: () => (made += 1) };
};

describe('late', () => {
  marble('makes something once, when it is first needed', ({ cold, expectObservable, expectSubscriptions }) => {
    const load$ = cold('  --(l|)', counted());
    const { value$ } = late(load$);
    expectObservable(value$).toBe('--(a|)', { a: 1 });
    expectObservable(value$, '-----^').toBe('-----(a|)', { a: 1 });
    expectSubscriptions(load$.subscriptions).toBe('^-!');
  });

  marble('loads once, also where it is needed twice meanwhile', ({ cold, expectObservable, expectSubscriptions }) => {
    const load$ = cold('  --(l|)', counted());
    const { value$ } = late(load$);
    expectObservable(value$).toBe('--(a|)', { a: 1 });
    expectObservable(value$, '-^').toBe('--(a|)', { a: 1 });
    expectSubscriptions(load$.subscriptions).toBe('^-!');
  });

  marble(
    'knows what was made, and loads nothing before it is needed',
    ({ cold, expectObservable, schedule, flush }) => {
      const load$ = cold('--(l|)', counted());
      const { value$, current } = late(load$);
      const seen: unknown[] = [];
      schedule('l-l-l', { l: () => seen.push(current()) });
      expectObservable(value$, '-^').toBe('---(a|)', { a: 1 });
      flush();
      expect(seen).toEqual([undefined, undefined, 1]);
    },
  );

  marble('tries again where the code was not loaded', ({ cold, expectObservable, expectSubscriptions }) => {
    const load$ = cold('  -|', counted());
    const { value$ } = late(load$);
    expectObservable(value$).toBe('-|');
    expectObservable(value$, '---^').toBe('----|');
    expectSubscriptions(load$.subscriptions).toBe(['^!', '---^!']);
  });

  marble('passes an error of the load on', ({ cold, expectObservable }) => {
    expectObservable(late(cold('-#', counted())).value$).toBe('-#');
  });

  marble('is silent while the code loads', ({ expectObservable }) => {
    expectObservable(late(NEVER).value$).toBe('-');
  });
});
