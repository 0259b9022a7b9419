import { defer, exhaustMap, filter, merge, type Observable, startWith } from 'rxjs';

import { perform } from '../../operators/creators/perform';
import { isolate } from '../../operators/isolate';
import type { AddonDeps } from '../addon';
import { callsOf } from '../adServer/onceForTag';
import type { Googletag, Targeting } from './googletag';

/**
 * Sets page-level targeting when subscribed, and again whenever the page has cleared targeting, in the same task. A
 * single-page site clears it at each route and asks for ads right after; a slot that loads lazily asks whenever it is
 * seen. A throw of Google's tag is reported and costs one update.
 */
export const keepPageTargeting = (googletag: Googletag, values: Targeting, { report }: AddonDeps): Observable<never> =>
  cleared(googletag).pipe(
    startWith(undefined),
    // exhaustMap: a page that clears a key whenever it is set would go on forever.
    exhaustMap(() => perform(() => targetPage(googletag, values)).pipe(isolate(targetingFailed, report))),
    isolate(targetingFailed, report),
  );

/** Emits when the page has cleared keys of the page-level targeting, by either call. The tag has no event for this. */
const cleared = (googletag: Googletag): Observable<unknown> =>
  defer(() =>
    merge(
      callsOf(googletag.pubads?.() ?? {}, 'clearTargeting'),
      callsOf(googletag, 'setConfig').pipe(filter(([config]) => isClearing(config))),
    ),
  );

/** Whether settings of the page clear targeting: null stands for one key, or for all. */
const isClearing = (config: unknown): boolean => {
  const { targeting } = Object(config) as { readonly targeting?: Targeting | null };
  return targeting === null || Object.values(targeting ?? {}).includes(null);
};

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
