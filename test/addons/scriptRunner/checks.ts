import type { AddonCheck } from '../../../src/addonKit/addonCheck';

/** What makes the addon act when it is checked: a script without and one with a vendor. */
export const checks: Readonly<Record<string, readonly AddonCheck[]>> = {
  scriptrunner: [{ config: { script: 'x' } }, { config: { script: 'x', tcf_vendor_id: '76' } }],
};
