import { hasExperiment } from '@project/settings';

import { localKeys, partnerKeys } from '../model/storageKeys';
import { type GoogleAdTag, onGoogletag } from './googletag';
import { storedVisitor } from './storedVisitor';

declare const googletag: GoogleAdTag;

/**
 * Sets the page-level targeting of the visitor, as the addon `dfp` does later. Without a visitor, the keys are cleared,
 * as the addon does. Nothing documents what an empty list does, so a key without values is cleared too. Tags without
 * `setTargeting` have `setConfig`.
 * https://developers.google.com/publisher-tag/reference, read on 2026-11-24
 */
export const google = (): void => {
  onGoogletag(() => {
    const pubads = googletag.pubads();
    const { userId, codes, config } = storedVisitor();
    const tell = (key: string, value: string | readonly string[] | undefined): void => {
      const isSet = userId && value?.length;
      if (!pubads.setTargeting) googletag.setConfig({ targeting: { [key]: isSet ? value : null } });
      else if (isSet) pubads.setTargeting(key, value);
      else pubads.clearTargeting(key);
    };
    tell('permutive', codes(partnerKeys.googleAdManager));
    // Nothing is set where there is none.
    tell('puid', userId as string | undefined);
    tell('ptime', `${Date.now()}`);
    tell('prmtvvid', config.viewId);
    tell('prmtvwid', config.workspaceId);
    if (hasExperiment) tell('prmtvexp', codes(localKeys.group));
  });
};
