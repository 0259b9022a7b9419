import { concatMap, filter, map, merge, type Observable, of, share, startWith, switchMap, takeWhile } from 'rxjs';

import type { PageExit } from '../../model/pageSignal';
import type { Listen, Page } from '../../platform/platform';

/**
 * Emits two steps each time the page is hidden or unloads: `beforeFlush`, and at once after it `flush`.
 * `visibilitychange` is the last event that phones are sure to send, `pagehide` the last one on a desktop. A page that
 * is left while visible is hidden after it unloads; that is not told again. Hot while anyone listens.
 */
export const fromPageExit = (listen: Listen, page: Page): Observable<PageExit> => {
  const exit$ = merge(
    listen('document', 'visibilitychange').pipe(
      filter(() => page.hidden()),
      map(() => false),
    ),
    listen('window', 'pagehide').pipe(map(() => true)),
  ).pipe(takeWhile((isUnloading) => !isUnloading, true));
  return listen('window', 'pageshow').pipe(
    startWith(undefined),
    switchMap(() => exit$),
    concatMap((isUnloading) => of<PageExit[]>({ step: 'beforeFlush', isUnloading }, { step: 'flush', isUnloading })),
    share(),
  );
};
