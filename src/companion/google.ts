import { partnerKeys } from '../model/storageKeys';
import { guarded } from './guarded';
import { storedVisitor } from './storedVisitor';

interface Googletag {
  cmd?: { readonly push: (command: () => void) => unknown };
  readonly pubads: () => {
    readonly setTargeting?: (key: string, value: string | readonly string[]) => unknown;
    readonly clearTargeting: (key: string) => unknown;
  };
  readonly setConfig: (config: { readonly targeting: object }) => unknown;
}

declare const googletag: Googletag;
/** The page may not have begun the queue yet. */
declare const window: { googletag?: Partial<Googletag> };

/**
 * Puts a command on Google's queue that sets the page-level targeting of the visitor, as the addon `dfp` does later.
 * Without a visitor, the keys are cleared, as the addon does. Nothing documents what an empty list does, so a key
 * without values is cleared too. Tags without `setTargeting` have `setConfig`.
 * https://developers.google.com/publisher-tag/reference, read on 2026-11-24
 */
export const google = (): void => {
  ((window.googletag ??= {}).cmd ??= new Array<() => void>()).push(
    guarded(() => {
      const pubads = googletag.pubads();
      const { userId, codes, config } = storedVisitor();
      for (const [key, value] of Object.entries({
        permutive: codes(partnerKeys.googleAdManager),
        puid: userId,
        ptime: `${Date.now()}`,
        prmtvvid: config.viewId,
        prmtvwid: config.workspaceId,
      })) {
        const isSet = userId && value?.length;
        if (!pubads.setTargeting) googletag.setConfig({ targeting: { [key]: isSet ? value : null } });
        else if (isSet) pubads.setTargeting(key, value);
        else pubads.clearTargeting(key);
      }
    }),
  );
};
