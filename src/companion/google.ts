import { workspaceId } from '@project/settings';

import { partnerKeys } from '../model/storageKeys';
import type { TellTag } from './companion';
import { onQueue } from './onQueue';
import { afterConsent, withVisitor } from './storedVisitor';

declare const googletag: {
  readonly pubads: () => {
    readonly setTargeting?: (key: string, value: string | readonly string[]) => unknown;
    readonly clearTargeting: (key: string) => unknown;
  };
  readonly setConfig: (config: { readonly targeting: object }) => unknown;
};

/**
 * Sets the page-level targeting of the visitor, and again at each answer. Without a visitor, the keys are cleared, as
 * the addon does. Nothing documents what an empty list does, so a key without values is cleared too. Tags without
 * `setTargeting` have `setConfig`.
 */
const target = (): void =>
  withVisitor(({ userId, codes, viewId }) => {
    const pubads = googletag.pubads();
    const values = userId ? [codes(partnerKeys.googleAdManager), userId, String(Date.now()), viewId, workspaceId] : [];
    ['permutive', 'puid', 'ptime', 'prmtvvid', 'prmtvwid'].forEach((key, i) => {
      const value = values[i]?.length ? values[i] : null;
      if (!pubads.setTargeting) googletag.setConfig({ targeting: { [key]: value } });
      else if (value) pubads.setTargeting(key, value);
      else pubads.clearTargeting(key);
    });
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
