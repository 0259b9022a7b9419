import { builtInPriority, type GivenIdentity, type Identities } from '../../model/identity';

/** Third-party tags whose ids the page itself provides, and those of vendors. */
const pageTags = ['gigya', 'sailthru', 'amp'];
const vendorTags = ['tradedesk', 'ddp', 'appnexus', 'pubmatic', 'neustar_fabrick', 'pxid'];

/**
 * What third parties have given, with priorities after the customer's own identities: built-in tags have their own,
 * then come the ids that the page provides, then those of vendors (spec C§9).
 */
export const thirdPartyIdentities = (
  found: readonly (readonly [tag: string, id: string])[],
  known: Identities,
): readonly GivenIdentity[] => {
  const own = [...known.values()].filter(({ tag }) => !pageTags.includes(tag) && !vendorTags.includes(tag));
  const lowest = own.reduce((most, { priority }) => Math.max(most, priority), 0);
  return found.map(([tag, id]) => ({
    tag,
    id,
    priority: builtInPriority(tag) ?? lowest + (pageTags.includes(tag) ? 2 : 3),
    expiry: undefined,
  }));
};
