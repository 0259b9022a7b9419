import type { AddonCheck } from '../../../src/addonKit/addonCheck';

/** What makes the addon act when it is checked. */
export const checks: Readonly<Record<string, AddonCheck>> = {
  tradedesk: { options: { pid: 'ledger' }, hosts: ['match.adsrvr.org'] },
};
