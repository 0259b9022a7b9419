import { GVL, PurposeRestriction, type RestrictionType, TCModel, TCString, type VendorList } from '@iabtechlabtcf/core';

/** Vendors of the list: those that the specification names, and one more. */
export const listedVendors: readonly number[] = [10, 21, 32, 755];

/** What a visitor has decided, and what the publisher allows. */
export interface Decision {
  readonly vendors?: readonly number[];
  /** All by default. */
  readonly purposes?: readonly number[];
  /** Vendors that the visitor was shown; undefined: the string does not say it, as before TCF 2.3. */
  readonly disclosed?: readonly number[] | undefined;
  readonly restrictions?: readonly Restriction[];
}
export type Restriction = readonly [vendorId: number, purpose: number, type: RestrictionType];

// The encoder leaves out restrictions that a vendor's entry in the list does not allow.
const vendor = (id: number): object => ({
  id,
  name: String(id),
  purposes: [1, 3, 4],
  legIntPurposes: [7],
  flexiblePurposes: [4, 7],
  specialPurposes: [],
  features: [],
  specialFeatures: [],
});
const entries = <Entry>(ids: readonly number[], entry: (id: number) => Entry): Readonly<Record<number, Entry>> =>
  Object.fromEntries(ids.map((id) => [id, entry(id)]));
const allPurposes: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const vendorList = {
  gvlSpecificationVersion: 3,
  vendorListVersion: 48,
  tcfPolicyVersion: 5,
  lastUpdated: '2026-01-01T00:00:00Z',
  purposes: entries(allPurposes, (id) => ({ id })),
  specialPurposes: {},
  features: {},
  specialFeatures: {},
  stacks: {},
  dataCategories: {},
  vendors: entries(listedVendors, vendor),
} as unknown as VendorList;

/** The segment of disclosed vendors. */
const disclosure = /\.[I-P][\w-]*/;

/** A TC string as the IAB's own library encodes it. */
export const tcStringOf = (decision: Decision): string => {
  const { vendors = [], purposes = allPurposes, disclosed, restrictions = [] } = decision;
  const model = new TCModel(new GVL(vendorList));
  Object.assign(model, { cmpId: 30, cmpVersion: 1, consentScreen: 1, isServiceSpecific: true });
  model.vendorConsents.set([...vendors]);
  model.purposeConsents.set([...purposes]);
  model.vendorsDisclosed.set([...(disclosed ?? [])]);
  for (const [vendorId, purpose, type] of restrictions)
    model.publisherRestrictions.add(vendorId, new PurposeRestriction(purpose, type));
  const encoded = TCString.encode(model);
  // The library always writes the segment.
  return disclosed === undefined ? encoded.replace(disclosure, '') : encoded;
};
