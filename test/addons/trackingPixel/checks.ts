import type { AddonCheck } from '../../../src/addonKit/addonCheck';

const pixel_url = 'https://partner.example/p';

/** What makes the addon act when it is checked: a pixel without and one with a vendor. */
export const checks: Readonly<Record<string, readonly AddonCheck[]>> = {
  tracking_pixel: [{ config: { pixel_url } }, { config: { pixel_url, tcf_vendor_id: '76' } }],
};
