import { vendorConsent } from '../../src/consent/vendorConsent';
import type { Tcf } from '../../src/model/tcf';
import { marble } from '../support/marbles';
import { tcfAnswer } from '../support/tcfAnswer';

const tcfOf = (status: Tcf['status'], ...vendors: readonly number[]): Tcf =>
  tcfAnswer({ status, vendorConsent: (id) => vendors.includes(id) });
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

  marble('needs the purposes too: 1, 3 and 4, unless others are named', ({ hot, expectObservable }) => {
    const withPurposes = (...purposes: readonly number[]): Tcf => ({
      ...tcfOf('loaded', 21),
      purposeConsent: (id) => purposes.includes(id),
    });
    const answered = { o: withPurposes(), i: withPurposes(1), p: withPurposes(1, 3), a: withPurposes(1, 3, 4) };
    expectObservable(vendorConsent(hot('-o-i-p-a', answered), 21)).toBe('-n-----y', answers);
    expectObservable(vendorConsent(hot('-o-i-p-a', answered), 21, [1])).toBe('-n-y----', answers);
    expectObservable(vendorConsent(hot('-o-i-p-a', answered), 21, [])).toBe('-y------', answers);
    expectObservable(vendorConsent(hot('-o-i-p-a', answered), undefined, [3])).toBe('-n---y--', answers);
  });

  marble('is not given for a purpose that the publisher keeps the vendor from', ({ hot, expectObservable }) => {
    const isRestricted = (id: number, purpose: number): boolean => id === 21 && purpose === 3;
    const tcf$ = hot('-r', { r: { ...tcfOf('loaded', 21, 32), isRestricted } });
    expectObservable(vendorConsent(tcf$, 21)).toBe('-n', answers);
    expectObservable(vendorConsent(tcf$, 21, [1, 4])).toBe('-y', answers);
    expectObservable(vendorConsent(tcf$, 32)).toBe('-y', answers);
    expectObservable(vendorConsent(tcf$, undefined, [3])).toBe('-y', answers);
  });

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
