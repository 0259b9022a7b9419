import { map } from 'rxjs';

import type { Tcf } from '../../../src/model/tcf';
import { partnerConsent } from '../../../src/operators/creators/partnerConsent';
import { marble, marbles } from '../../support/marbles';

const answer = (status: Tcf['status'], hasConsent: boolean): Tcf => ({
  status,
  gdprApplies: true,
  tcString: 'CS',
  vendorConsent: (id) => id === 21 && hasConsent,
});
/** y, n: whether the vendor 21 has consent; o: no platform; a: it has failed. */
const tcfs = {
  y: answer('loaded', true),
  n: answer('loaded', false),
  o: answer('missing', true),
  a: answer('aborted', false),
};
const sharings = { y: true, n: false };
/** The answer as one letter. */
const letter = map(({ isGiven }: { readonly isGiven: boolean }) => (isGiven ? 'y' : 'n'));

describe('partnerConsent', () => {
  it.each<readonly [what: string, vendor: number | undefined, sharing: string, tcf: string, expected: string]>([
    ['waits for the vendor, and ends with sharing', 21, 'y-------n---', '---n--y-----', 'n--n--y-n---'],
    ['needs only sharing for a partner that is no vendor', undefined, 'y-------n---', '---n--y-----', 'y-------n---'],
    ['is withdrawn with the vendor’s consent', 21, 'y-----------', '-y---n---y--', 'ny---n---y--'],
    ['is withdrawn while the platform fails', 21, 'y-----------', '-o---a---y--', 'ny---n---y--'],
    ['gives another vendor nothing', 76, 'y-----------', '-y----------', 'nn----------'],
    ['says nothing before sharing is known', 21, '---y--------', '-y----------', '---y--------'],
  ])(
    '%s',
    marbles(({ hot, cold, expectObservable }, _, vendor, sharing, tcf, expected) => {
      const streams = { sharing$: hot(sharing, sharings), tcf$: cold(tcf, tcfs) };
      expectObservable(partnerConsent(streams, vendor).pipe(letter)).toBe(expected);
    }),
  );

  marble('passes errors on, and completes when both have', ({ cold, expectObservable }) => {
    const [sharing$, tcf$] = [cold('y|', sharings), cold('--y|', tcfs)];
    expectObservable(partnerConsent({ sharing$, tcf$ }, 21).pipe(letter)).toBe('n-y|');
    expectObservable(partnerConsent({ sharing$, tcf$: cold('#', tcfs) }, 21).pipe(letter)).toBe('(n#)');
  });

  marble('lets go of both', ({ cold, expectObservable, expectSubscriptions }) => {
    const [sharing$, tcf$] = [cold('y-', sharings), cold('y-', tcfs)];
    expectObservable(partnerConsent({ sharing$, tcf$ }, 21).pipe(letter), '--!').toBe('(ny)');
    expectSubscriptions(sharing$.subscriptions).toBe('^-!');
    expectSubscriptions(tcf$.subscriptions).toBe('^-!');
  });
});
