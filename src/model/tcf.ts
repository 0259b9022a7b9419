import { list, value } from '../codecs/codecs';

/** The answer of the page's consent platform (`__tcfapi`, version 2; spec C§6). */
export interface Tcf {
  /**
   * `missing`: the page has no platform. `aborted`: the platform failed, which is no answer. `loaded`: it has answered.
   */
  readonly status: 'missing' | 'aborted' | 'loaded';
  /** Whether the visitor is under the GDPR, as the platform says; true where it does not say. */
  readonly gdprApplies: boolean;
  /** The encoded consent, for partners; empty where there is none. */
  readonly tcString: string;
  /**
   * Whether a vendor of the TCF list may be used: it has consent, and the visitor was shown its name where the platform
   * says which were shown. Where no consent is needed, all may.
   */
  readonly vendorConsent: (vendorId: number) => boolean;
  /** Whether data may be used for a purpose of the TCF, 1 to 11: it has consent, or none is needed. */
  readonly purposeConsent: (purpose: number) => boolean;
  /**
   * Whether the publisher keeps a vendor from using consent for a purpose: it forbids the purpose (a restriction of the
   * type 0), or wants legitimate interest for it (2).
   */
  readonly isRestricted: (vendorId: number, purpose: number) => boolean;
}

/** The highest number of a purpose of the TCF; the lowest is 1. */
export const maxPurpose = 11;
/** Ids of vendors up to this one are noted and looked at where all are listed. */
export const maxVendor = 2000;

/**
 * Purposes that partners and pixels need: store information on a device (1), make a profile for advertising (3), and
 * use it (4).
 */
export const partnerPurposes: readonly number[] = [1, 3, 4];
/** Purposes that identity providers need. */
export const identityPurposes: readonly number[] = [1];

/** Whether all of these purposes may be served, and by that vendor where one is given. */
export const permits = (tcf: Tcf, vendorId: number | undefined, purposes: readonly number[]): boolean =>
  purposes.every((purpose) => tcf.purposeConsent(purpose)) &&
  (vendorId === undefined ||
    (tcf.vendorConsent(vendorId) && !purposes.some((purpose) => tcf.isRestricted(vendorId, purpose))));

/** Purposes of the TCF, as an option of an addon: those that it needs. */
export const Purposes = list(
  value<number>(
    `a purpose of the TCF, 1 to ${maxPurpose}`,
    (input) => Number.isInteger(input) && Number(input) >= 1 && Number(input) <= maxPurpose,
  ),
);

/** The address with the visitor's consent in the parameters `gdpr` and `gdpr_consent` (spec S§7). */
export const withConsent = (address: string, { gdprApplies, tcString }: Tcf): string => {
  const url = new URL(address);
  url.searchParams.set('gdpr', gdprApplies ? '1' : '0');
  url.searchParams.set('gdpr_consent', tcString);
  return url.href;
};

/**
 * Ids of third-party identity vendors in the TCF vendor list: those of the specification (spec C§6), and the services
 * behind the tags that Prebid reads. A provider of the project definition may name another.
 */
export const tcfVendors: Readonly<Record<string, number>> = {
  tradedesk: 21,
  ddp: 755,
  appnexus: 32,
  pubmatic: 76,
  neustar_fabrick: 468,
  uid2: 21,
  id5: 131,
  id5id: 131,
  liveramp: 97,
  idl_env: 97,
};
