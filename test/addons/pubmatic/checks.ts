import type { AddonCheck } from '../../../src/addonKit/addonCheck';

/** What makes the addon act when it is checked. */
export const checks: Readonly<Record<string, AddonCheck>> = {
  // The addon itself names where PubMatic takes segments.
  pubmatic: { config: { dpid: '410' }, hosts: ['image2.pubmatic.com'] },
};
