import type { Tcf } from '../../src/model/tcf';
import { vendorConsent } from '../../src/operators/vendorConsent';
import { marble } from '../support/marbles';

const tcfOf = (status: Tcf['status'], ...vendors: readonly number[]): Tcf => ({
  status,
  gdprApplies: true,
  tcString: '',
  vendorConsent: (id) => vendors.includes(id),
});
const states = { a: tcfOf('aborted'), n: tcfOf('loaded', 32), y: tcfOf('loaded', 21, 32), m: tcfOf('missing', 21) };
const answers = { n: false, y: true };

describe('vendorConsent', () => {
  marble(
    'is the answer for one vendor, when it changes; an aborted platform gives nobody consent',
    ({ hot, expectObservable, expectSubscriptions }) => {
      const tcf$ = hot('   -a-n-y-a-y-|', states);
      const expected = '   -n---y-n-y-|';
      expectObservable(vendorConsent(tcf$, 21)).toBe(expected, answers);
      expectSubscriptions(tcf$.subscriptions).toBe('^----------!');
    },
  );

  marble('is given where the page has no platform', ({ hot, expectObservable }) => {
    expectObservable(vendorConsent(hot('-m-', states), 21)).toBe('-y-', answers);
  });

  marble('ends where a platform comes after the page was taken to have none', ({ hot, expectObservable }) => {
    expectObservable(vendorConsent(hot('-m-a-y-', states), 21)).toBe('-y-n-y-', answers);
  });

  marble('never comes without an answer', ({ cold, hot, expectObservable }) => {
    expectObservable(vendorConsent(cold('--|'), 21)).toBe('--|');
    expectObservable(vendorConsent(hot('-'), 21)).toBe('-');
  });

  marble('passes an error on', ({ hot, expectObservable }) => {
    expectObservable(vendorConsent(hot('-n-#', states), 21)).toBe('-n-#', answers);
  });

  marble('lets go of the source when unsubscribed early', ({ hot, expectObservable, expectSubscriptions }) => {
    const tcf$ = hot('-n-y-n-', states);
    expectObservable(vendorConsent(tcf$, 21), '^---!').toBe('-n-y-', answers);
    expectSubscriptions(tcf$.subscriptions).toBe('^---!');
  });
});
