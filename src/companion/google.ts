import { workspaceId } from '@project/settings';

import { partnerKeys } from '../model/storageKeys';
import type { TellTag } from './companion';
import { onQueue } from './onQueue';
import { afterConsent, withVisitor } from './storedVisitor';

declare const googletag: {
  readonly pubads: () => { readonly setTargeting?: (key: string, value: string | readonly string[]) => unknown };
  readonly setConfig: (config: { readonly targeting: object }) => unknown;
};

let isTold = false;

/**
 * Sets the page-level targeting once there is a user, and again at each answer. An empty list clears its key. Tags
 * without `setTargeting` have `setConfig`.
 */
const target = (): void =>
  withVisitor(({ userId, codes, viewId }) => {
    if (!userId && !isTold) return;
    isTold = true;
    const targeting = {
      permutive: codes(partnerKeys.googleAdManager),
      puid: userId ?? [],
      ptime: userId ? String(Date.now()) : [],
      prmtvvid: viewId ?? [],
      prmtvwid: workspaceId,
    };
    const pubads = googletag.pubads();
    if (pubads.setTargeting) for (const [key, value] of Object.entries(targeting)) pubads.setTargeting(key, value);
    else googletag.setConfig({ targeting });
  });

/**
 * Targets by the stored codes as the addon `dfp` does later, and again by each answer about consent that comes before
 * the SDK. https://developers.google.com/publisher-tag/reference
 */
export const google: TellTag = () => {
  const tell = (): void => onQueue('googletag', 'cmd', target);
  tell();
  afterConsent(tell);
};
