import { combineLatest, concatMap, defer, EMPTY, fromEventPattern, type Observable, startWith } from 'rxjs';
import type { ApntagOnPage } from '../../model/apntag';
import { isolate } from '../../operators/isolate';
import type { AddonDeps } from '../addon';

/**
 * Keywords of every tag that is defined: with each change, and after each request, when tags may have been added that the page's
 * snippet gave the stored codes only. A throw costs this update, not the next.
 */
export const setKeywords = ({ tag }: ApntagOnPage, keywords$: Observable<Readonly<Record<string, readonly string[]>>>, { report }: AddonDeps): Observable<never> =>
  combineLatest([keywords$, fromEventPattern((listener) => tag.onEvent?.('adRequested', listener)).pipe(startWith(undefined))]).pipe(
    concatMap(([keywords]) =>
      defer(() => {
        for (const targetId of Object.keys(tag.getTag?.() ?? {})) tag.setKeywords?.(targetId, keywords, { overrideKeyValue: true });
        return EMPTY;
      }).pipe(isolate('AppNexus failed to set data', report)),
    ),
  );
