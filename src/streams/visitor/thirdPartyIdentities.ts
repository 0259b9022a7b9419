import type { GivenIdentity, Identities } from '../../model/identity';
import { fold } from '../../primitives/lists';
import { builtInPriority } from '../../privacy/identityTag';

/** Third-party tags whose ids the page itself provides, and those of vendors. */
const pageTags = ['gigya', 'sailthru', 'amp'];
const vendorTags = ['tradedesk', 'ddp', 'appnexus', 'pubmatic', 'neustar_fabrick', 'pxid'];

/**
 * What third parties have given, with priorities after the customer's own identities: built-in tags have their own,
 * then come the ids that the page provides, then those of vendors (spec C§9). `providers`: tags of the project's
 * identity providers. Identities that providers have given are no custom ones, so that a renewal keeps its priority.
 */
export const thirdPartyIdentities = (
  found: readonly (readonly [tag: string, id: string])[],
  known: Identities,
  providers: readonly string[] = [],
): readonly GivenIdentity[] => {
  const custom = [...known.values()].filter(({ tag }) => ![...pageTags, ...vendorTags, ...providers].includes(tag));
  const lowest = fold(custom, 0, (most, { priority }) => Math.max(most, priority));
  return found.map(([tag, id]) => ({
    tag,
    id,
    priority: builtInPriority(tag) ?? lowest + (pageTags.includes(tag) ? 2 : 3),
    expiry: undefined,
  }));
};
