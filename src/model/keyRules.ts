import { localKeys, ownPrefix, partnerKeys } from './storageKeys';

/**
 * Whether a publisher may not write to this key of local storage. The one of Index Exchange is free, because no addon
 * writes it.
 */
export const isReservedKey = (key: string): boolean =>
  key.startsWith(ownPrefix) || (key !== partnerKeys.index && Object.values<string>(partnerKeys).includes(key));

/**
 * Keys of local storage by which others than the publisher get something of the visitor: bidders and partners. They are
 * written only while the visitor does not object to sharing (contract: Global Privacy Control).
 */
export const sharedKeys: readonly string[] = [
  localKeys.prebidConfig,
  localKeys.prebidId,
  partnerKeys.rubicon,
  partnerKeys.nativo,
  partnerKeys.freewheel,
  partnerKeys.index,
  partnerKeys.advertisers,
  partnerKeys.cleanRooms,
  partnerKeys.ssps,
];
