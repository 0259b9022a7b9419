import { NEVER } from 'rxjs';

import { overlayPhases } from '../../src/overlay/overlayPhases';
import { marble } from '../support/marbles';

const phases = { l: 'loading', o: 'open', c: 'closing' } as const;

/** Images that are there at the check of that number. */
const loadedAt = (check: number): jest.Mock<boolean> => {
  let checks = 0;
  return jest.fn(() => (checks += 1) >= check);
};

describe('overlayPhases', () => {
  marble(
    'opens at once where its images are there, closes on demand, and ends when it has faded',
    ({ hot, expectObservable }) => {
      const close$ = hot('            ----x');
      const expected = '              (lo)c 299ms |';
      expectObservable(overlayPhases(loadedAt(1), close$, 300)).toBe(expected, phases);
    },
  );

  marble('opens when its images have come', ({ hot, expectObservable }) => {
    const close$ = hot('            499ms --x');
    const expected = '              l 499ms oc 9ms |';
    expectObservable(overlayPhases(loadedAt(2), close$, 10)).toBe(expected, phases);
  });

  marble('opens without them after 10 checks, 500 ms apart', ({ expectObservable, flush }) => {
    const never = jest.fn(() => false);
    expectObservable(overlayPhases(never, NEVER, 0), '6000ms !').toBe('l 4499ms o', phases);
    flush();
    expect(never).toHaveBeenCalledTimes(10);
  });

  marble('closes at once where nothing is to fade', ({ hot, expectObservable }) => {
    const close$ = hot('            ----x');
    const expected = '              (lo)(c|)';
    expectObservable(overlayPhases(loadedAt(1), close$, 0)).toBe(expected, phases);
  });

  marble('closes once, and before it has opened too', ({ hot, expectObservable, flush }) => {
    const never = jest.fn(() => false);
    const close$ = hot('            --x-x-----');
    const expected = '              l-c----|';
    expectObservable(overlayPhases(never, close$, 5)).toBe(expected, phases);
    flush();
    expect(never).toHaveBeenCalledTimes(1);
  });

  marble('stops when unsubscribed', ({ hot, expectObservable, expectSubscriptions }) => {
    const close$ = hot('            -----x');
    const unsub = '                 ---!';
    expectObservable(overlayPhases(loadedAt(1), close$, 5), unsub).toBe('(lo)', phases);
    expectSubscriptions(close$.subscriptions).toBe('^--!');
  });
});
