import type { Observable } from 'rxjs';

import { perform } from '../../operators/creators/perform';
import { isolate } from '../../operators/isolate';
import type { AddonDeps } from '../addon';
import type { Googletag, Targeting } from './googletag';

/**
 * Sets page-level targeting when subscribed, and completes. A throw of Google's tag is reported and costs this update
 * only. A value of null clears its key.
 */
export const setPageTargeting = (googletag: Googletag, values: Targeting, { report }: AddonDeps): Observable<never> =>
  perform(() => targetPage(googletag, values)).pipe(isolate(targetingFailed, report));

/**
 * Clears keys of the page-level targeting at once. The function answers no stream, because it is called while streams
 * are being unsubscribed from. An error that the tag throws is reported.
 */
export const clearPageTargeting = (googletag: Googletag, keys: readonly string[], { report }: AddonDeps): void => {
  try {
    targetPage(googletag, Object.fromEntries(keys.map((key) => [key, null])));
  } catch (cause) {
    report(targetingFailed, cause);
  }
};

const targetingFailed = 'DFP failed to set data';

/** Uses the older `setTargeting` where the tag has it, else `setConfig`, which replaced it. Null clears a key. */
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
