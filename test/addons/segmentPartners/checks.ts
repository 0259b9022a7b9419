import type { AddonCheck } from '../../../src/addonKit/addonCheck';

const ignore = (): void => undefined;

/** A page on which every partner's function is there. */
const withPartners: AddonCheck = {
  page: {
    fbq: ignore,
    ttq: { track: ignore },
    pintrk: ignore,
    twq: ignore,
    dataLayer: { push: ignore },
    gigya: { accounts: { setAccountInfo: ignore } },
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
  data_layer: withPartners,
  eyeota: { options: { pid: 'ledger' }, hosts: ['ps.eyeota.net'] },
  lotame: { config: { client_id: 17310 }, hosts: ['bcp.crwdcntrl.net'] },
  ddp: { options: { pixel_url } },
  neustar_fabrick: { options: { pixel_url } },
};
