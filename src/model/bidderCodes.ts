import { partnerKeys } from './storageKeys';

// Where Prebid's module finds the codes of bidders (public source of `permutiveRtdProvider`, Prebid.js 11.36.0).

/** Reads a key of local storage as JSON; null where there is none under it. */
export type ReadKey = (key: string) => unknown;

/** Where the module finds the codes of these bidders. */
export const keyOfBidder: Readonly<Record<string, string>> = {
  appnexus: partnerKeys.appnexus,
  rubicon: partnerKeys.rubicon,
  ix: partnerKeys.index,
  gam: partnerKeys.googleAdManager,
};

/**
 * Where the codes of bidders are that the module does not look for by itself: `bidders` of its config names the key.
 * https://docs.prebid.org/dev-docs/modules/permutiveRtdProvider.html, read on 2026-11-28
 */
export const keyToName: Readonly<Record<string, string>> = { msft: partnerKeys.appnexus };

/** Standard cohorts have numbers from here on. */
const firstStandardInModule = 1_000_000;

/** The codes under a key, as text. */
export const codesAt = (key: string, read: ReadKey): readonly string[] => {
  const stored = read(key);
  return Array.isArray(stored) ? stored.map(String) : [];
};

/** The numbers of the visitor's standard cohorts, as the module tells them from others. */
export const standardCodes = (read: ReadKey): readonly string[] =>
  codesAt(partnerKeys.all, read).filter((code) => Number(code) >= firstStandardInModule);

/** Cohorts that others have paid for: those of clean rooms, then those of advertisers. */
export const boughtCodes = (read: ReadKey): readonly string[] => [
  ...codesAt(partnerKeys.cleanRooms, read),
  ...codesAt(partnerKeys.advertisers, read),
];
