import { combineLatest, concatMap, defer, EMPTY, finalize, fromEventPattern, type Observable, startWith } from 'rxjs';

import { isolate } from '../../operators/isolate';
import type { AddonDeps } from '../addon';
import type { ApntagOnPage } from './apntag';

/**
 * Keywords of every tag that is defined: with each change, and after each request, when tags may have been added that
 * the page's snippet gave the stored codes only. `afterwards`: what takes their place when this is stopped. A throw
 * costs this update, not the next.
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
  return combineLatest([
    keywords$,
    fromEventPattern((listener) => tag.onEvent?.('adRequested', listener)).pipe(startWith(undefined)),
  ]).pipe(
    concatMap(([keywords]) =>
      defer(() => {
        set(keywords);
        return EMPTY;
      }).pipe(isolate('AppNexus failed to set data', report)),
    ),
    // Consent that goes takes the visitor out of the ad requests that follow.
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
