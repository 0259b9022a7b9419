import { partnerKeys } from '../model/storageKeys';
import type { TellTag } from './companion';
import { onQueue } from './onQueue';
import { withVisitor } from './storedVisitor';

declare const apntag: {
  readonly onEvent: (type: string, listener: (ad: unknown) => void) => unknown;
  defineTag: (tag: { readonly targetId: string }) => unknown;
  readonly setKeywords: (targetId: string, keywords: object, options: object) => unknown;
};

/**
 * Gives each tag of the page the stored codes as its keyword `permutive` when the page defines it, so before its first
 * request. The addon `appnexus_adserver` replaces and removes these keywords later. Page options could not be removed:
 * nothing documents whether a second `setPageOpts` keeps what the page has set. Ads that load before the SDK are kept
 * for the addon. https://learn.microsoft.com/en-us/xandr/seller-tag/set-keywords
 */
export const appnexus: TellTag = () =>
  onQueue('apntag', 'anq', () => {
    const { defineTag } = apntag;
    const appnexusEvents: unknown[] = [];
    Object.assign(window, { __permutive: { appnexusEvents } });
    apntag.onEvent('adLoaded', (arg) => appnexusEvents.push({ eventType: 'adLoaded', arg }));
    apntag.defineTag = (tag) => {
      const answer = defineTag(tag);
      withVisitor(({ codes }) =>
        apntag.setKeywords(tag.targetId, { permutive: codes(partnerKeys.appnexus) }, { overrideKeyValue: true }),
      );
      return answer;
    };
  });
