import { defer, EMPTY, type Observable } from 'rxjs';
import type { Googletag } from '../../model/googletag';
import { isolate } from '../../operators/isolate';
import type { AddonDeps } from '../addon';

/** Page-level targeting: by the older `setTargeting` where there is one, by `setConfig` where that replaced it. A throw costs this update, not the next. */
export const setPageTargeting = (googletag: Googletag, values: Readonly<Record<string, string | readonly string[]>>, { report }: AddonDeps): Observable<never> =>
  defer(() => {
    const pubads = googletag.pubads?.();
    if (typeof pubads?.setTargeting === 'function') for (const [key, value] of Object.entries(values)) pubads.setTargeting(key, value);
    else googletag.setConfig?.({ targeting: values });
    return EMPTY;
  }).pipe(isolate('DFP failed to set data', report));
