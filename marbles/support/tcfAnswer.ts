import type { Tcf } from '../../src/model/tcf';

/** What a consent platform says. Unless something else is given, it has answered, and gives consent to everybody. */
export const tcfAnswer = (given: Partial<Tcf> = {}): Tcf => ({
  status: 'loaded',
  gdprApplies: true,
  tcString: 'CPx',
  vendorConsent: () => true,
  purposeConsent: () => true,
  isRestricted: () => false,
  ...given,
});

/** What is said of a page without a platform. */
export const noPlatform = tcfAnswer({ status: 'missing', gdprApplies: false, tcString: '' });
