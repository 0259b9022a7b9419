import { concatMap, defer, EMPTY, filter, map, merge, type Observable, of, share } from 'rxjs';

import type { PageExit } from '../../model/pageSignal';
import type { Listen, Page } from '../../platform/platform';

/**
 * Emits two steps each time the page is hidden or unloads: `beforeFlush`, and at once after it `flush`.
 * `visibilitychange` is the last event that phones are sure to send, `pagehide` the last one on a desktop. A page that
 * is left while visible is hidden after it unloads; that is not told again. At `navigation$` the page is about to be
 * replaced, which counts as being hidden. Hot while anyone listens.
 */
export const fromPageExit = (
  listen: Listen,
  page: Page,
  navigation$: Observable<unknown> = EMPTY,
): Observable<PageExit> =>
  defer(() => {
    // Until the page is visible again, as it is when it returns from the back-forward cache.
    let isGone = false;
    return merge(
      listen('document', 'visibilitychange').pipe(
        filter(() => {
          if (!page.hidden()) isGone = false;
          return page.hidden() && !isGone;
        }),
        map(() => false),
      ),
      navigation$.pipe(
        filter(() => !isGone),
        map(() => false),
      ),
      // An event that a script of the page has made up counts as being hidden, because the page goes on.
      listen('window', 'pagehide').pipe(map((event) => (isGone = (event as Event).isTrusted))),
    );
  }).pipe(
    concatMap((isUnloading) => of<PageExit[]>({ step: 'beforeFlush', isUnloading }, { step: 'flush', isUnloading })),
    share(),
  );
