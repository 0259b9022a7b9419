import { defer, EMPTY, type Observable } from 'rxjs';

import { isolate } from '../../operators/isolate';
import type { AddonDeps } from '../addon';
import type { Googletag, Targeting } from './googletag';

/** Sets page-level targeting. A throw costs this update, not the next. */
export const setPageTargeting = (googletag: Googletag, values: Targeting, { report }: AddonDeps): Observable<never> =>
  defer(() => {
    targetPage(googletag, values);
    return EMPTY;
  }).pipe(isolate(failure, report));

/** Takes keys from the page-level targeting, at once. */
export const clearPageTargeting = (googletag: Googletag, keys: readonly string[], { report }: AddonDeps): void => {
  try {
    targetPage(googletag, Object.fromEntries(keys.map((key) => [key, null])));
  } catch (cause) {
    report(failure, cause);
  }
};

const failure = 'DFP failed to set data';

/** By the older `setTargeting` where there is one, by `setConfig` where that replaced it; null clears a key. */
const targetPage = (googletag: Googletag, values: Targeting): void => {
  const pubads = googletag.pubads?.();
  if (typeof pubads?.setTargeting !== 'function') googletag.setConfig?.({ targeting: values });
  else {
    for (const [key, value] of Object.entries(values)) {
      if (value === null) pubads.clearTargeting?.(key);
      else pubads.setTargeting(key, value);
    }
  }
};
