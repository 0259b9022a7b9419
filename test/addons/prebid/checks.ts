import type { AddonCheck } from '../../../src/addonKit/addonCheck';

/** Prebid reads its bidders whether the page starts the addon or not. */
export const checks: Readonly<Record<string, AddonCheck>> = {
  prebid: { servesUnstarted: true },
};
