import type { AddonCheck } from '../../../src/addonKit/addonCheck';

/** A page on which every partner's function is there. */
const withPartners: AddonCheck = {
  deps: {
    global: () =>
      Object.assign(() => undefined, { track: () => undefined, accounts: { setAccountInfo: () => undefined } }),
  },
};
const pixel_url = 'https://partner.example/p?s={{segment}}';

/** What makes the addons act when they are checked. */
export const checks: Readonly<Record<string, AddonCheck>> = {
  facebook_v2: withPartners,
  tiktok: withPartners,
  pinterest: withPartners,
  twitter_pixel: withPartners,
  gigya: withPartners,
  eyeota: { options: { pid: 'ledger' } },
  lotame: { config: { client_id: 17310 } },
  ddp: { options: { pixel_url } },
  neustar_fabrick: { options: { pixel_url } },
};
