import { combineLatest, concatMap, finalize, type Observable, startWith } from 'rxjs';

import { perform } from '../../operators/creators/perform';
import { isolate } from '../../operators/isolate';
import type { AddonDeps } from '../addon';
import { adEvents } from './adEvents';
import type { ApntagOnPage } from './apntag';

/**
 * Keeps the keywords of all defined tags up to date. Keywords are set at each value of `keywords$` and again after each
 * ad request, because the page may have defined further tags by then. When the stream ends or is unsubscribed from,
 * `afterwards` takes their place. A throw is reported and costs one update.
 */
export const setKeywords = (
  { tag }: ApntagOnPage,
  keywords$: Observable<Keywords>,
  afterwards: Keywords,
  { report }: AddonDeps,
): Observable<never> => {
  const set = (keywords: Keywords): void => {
    for (const targetId of Object.keys(tag.getTag?.() ?? {}))
      tag.setKeywords?.(targetId, keywords, { overrideKeyValue: true });
  };
  return combineLatest([keywords$, adEvents(tag, 'adRequested').pipe(startWith(undefined))]).pipe(
    concatMap(([keywords]) => perform(() => set(keywords)).pipe(isolate('AppNexus failed to set data', report))),
    // When consent is withdrawn, the ad requests that follow must not carry the visitor's cohorts.
    finalize(() => {
      try {
        set(afterwards);
      } catch (cause) {
        report('AppNexus failed to set data', cause);
      }
    }),
  );
};

type Keywords = Readonly<Record<string, readonly string[]>>;
