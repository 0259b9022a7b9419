import { map } from 'rxjs';

import { partnerConsent, type PartnerNeeds } from '../../src/consent/partnerConsent';
import type { Tcf } from '../../src/model/tcf';
import { marble, marbles } from '../support/marbles';
import { tcfAnswer } from '../support/tcfAnswer';

const answer = (status: Tcf['status'], hasConsent: boolean, purposes: readonly number[] = [1, 3, 4]): Tcf =>
  tcfAnswer({
    status,
    vendorConsent: (id) => id === 21 && hasConsent,
    purposeConsent: (id) => purposes.includes(id),
  });
/**
 * y, n: whether the vendor 21 has consent; p, q: it has, but all purposes are refused, or all but 1; r: it has, but the
 * publisher keeps it from purpose 4; o: no platform; a: it has failed.
 */
const tcfs = {
  y: answer('loaded', true),
  n: answer('loaded', false),
  p: answer('loaded', true, []),
  q: answer('loaded', true, [1]),
  r: { ...answer('loaded', true), isRestricted: (id: number, purpose: number) => id === 21 && purpose === 4 },
  o: answer('missing', true),
  a: answer('aborted', false),
};
const vendor21: PartnerNeeds = { vendorId: 21, purposes: undefined };
const sharings = { y: true, n: false };
/** The answer as one letter. */
const letter = map(({ isGiven }: { readonly isGiven: boolean }) => (isGiven ? 'y' : 'n'));

describe('partnerConsent', () => {
  it.each<readonly [what: string, needs: Partial<PartnerNeeds>, sharing: string, tcf: string, expected: string]>([
    ['waits for the vendor, and ends with sharing', { vendorId: 21 }, 'y-------n---', '---n--y-----', 'n--n--y-n---'],
    ['needs the purposes for a partner that is no vendor', {}, 'y-------n---', '---p--y-----', 'n--n--y-n---'],
    [
      'needs only sharing for one that needs no purpose',
      { purposes: [] },
      'y-------n---',
      '---p--y-----',
      'y-------n---',
    ],
    ['needs the purposes besides the vendor', { vendorId: 21 }, 'y-----------', '-p-q-y-p----', 'nn-n-y-n----'],
    ['needs those that it names', { vendorId: 21, purposes: [1] }, 'y-----------', '-p-q-y-p----', 'nn-y-y-n----'],
    ['needs that the publisher does not restrict it', { vendorId: 21 }, 'y-----------', '-r---y---r--', 'nn---y---n--'],
    ['heeds restrictions of its purposes alone', { vendorId: 21, purposes: [1] }, 'y-----', '-r----', 'ny----'],
    ['needs only the purposes for one that is no vendor', {}, 'y-----', '-r----', 'ny----'],
    ['is withdrawn with the vendor’s consent', { vendorId: 21 }, 'y-----------', '-y---n---y--', 'ny---n---y--'],
    ['is withdrawn while the platform fails', { vendorId: 21 }, 'y-----------', '-o---a---y--', 'ny---n---y--'],
    ['gives another vendor nothing', { vendorId: 76 }, 'y-----------', '-y----------', 'nn----------'],
    ['says nothing before sharing is known', { vendorId: 21 }, '---y--------', '-y----------', '---y--------'],
  ])(
    '%s',
    marbles(({ hot, cold, expectObservable }, _, { vendorId, purposes }, sharing, tcf, expected) => {
      const streams = { sharing$: hot(sharing, sharings), tcf$: cold(tcf, tcfs) };
      expectObservable(partnerConsent(streams, { vendorId, purposes }).pipe(letter)).toBe(expected);
    }),
  );

  marble('passes errors on, and completes when both have', ({ cold, expectObservable }) => {
    const [sharing$, tcf$] = [cold('y|', sharings), cold('--y|', tcfs)];
    expectObservable(partnerConsent({ sharing$, tcf$ }, vendor21).pipe(letter)).toBe('n-y|');
    expectObservable(partnerConsent({ sharing$, tcf$: cold('#', tcfs) }, vendor21).pipe(letter)).toBe('(n#)');
  });

  marble('lets go of both', ({ cold, expectObservable, expectSubscriptions }) => {
    const [sharing$, tcf$] = [cold('y-', sharings), cold('y-', tcfs)];
    expectObservable(partnerConsent({ sharing$, tcf$ }, vendor21).pipe(letter), '--!').toBe('(ny)');
    expectSubscriptions(sharing$.subscriptions).toBe('^-!');
    expectSubscriptions(tcf$.subscriptions).toBe('^-!');
  });
});
