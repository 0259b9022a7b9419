import { combineLatest, concatMap, finalize, merge, type Observable, startWith } from 'rxjs';

import { perform } from '../../operators/creators/perform';
import { isolate } from '../../operators/isolate';
import type { AddonDeps } from '../addon';
import { callsOf } from '../adServer/onceForTag';
import { adEvents } from './adEvents';
import type { ApntagOnPage } from './apntag';

const failedToSet = 'AppNexus failed to set data';

/**
 * Keeps the keywords of all defined tags up to date. Keywords are set at each value of `keywords$`, when the page has
 * defined another tag, so before that tag's first request, and after each ad request, because the page may have
 * replaced its keywords. When the stream ends or is unsubscribed from, `afterwards` takes their place. A throw is
 * reported and costs one update.
 *
 * Pages of https://learn.microsoft.com/en-us/xandr/seller-tag, read on 2026-11-24, say what is relied on: with
 * `overrideKeyValue` the values take the place of the former values of these keywords (set-keywords), and `getTag`
 * without a target gives all tags (get-tag). The pages leave two things open. An empty list has no values left to send,
 * but nothing says that its key is not sent. Options of the page have keywords too (set-page-options), but nothing says
 * what a second `setPageOpts` does to the page's own ones, and no call reads or removes them (decision 103).
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
  // The seller tag has no event for a definition.
  const defined$ = callsOf(tag, 'defineTag').pipe(isolate(failedToSet, report));
  const changed$ = merge(adEvents(tag, 'adRequested'), defined$);
  return combineLatest([keywords$, changed$.pipe(startWith(undefined))]).pipe(
    concatMap(([keywords]) => perform(() => set(keywords)).pipe(isolate(failedToSet, report))),
    finalize(() => {
      try {
        set(afterwards);
      } catch (cause) {
        report(failedToSet, cause);
      }
    }),
  );
};

/** By key, the values that a tag has; none where the list is empty. */
export type Keywords = Readonly<Record<string, readonly string[]>>;
