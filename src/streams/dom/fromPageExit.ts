import { concatMap, filter, map, merge, type Observable, of, share } from 'rxjs';

import type { PageExit } from '../../model/pageSignal';
import type { Listen, Page } from '../../platform/platform';

/**
 * Emits two steps each time the page is hidden or unloads: `beforeFlush`, and at once after it `flush`.
 * `visibilitychange` is the last event that phones are sure to send, `pagehide` the last one on a desktop. A page that
 * is closed while visible may emit both pairs. Hot while anyone listens.
 */
export const fromPageExit = (listen: Listen, page: Page): Observable<PageExit> =>
  merge(
    listen('document', 'visibilitychange').pipe(
      filter(() => page.hidden()),
      map(() => false),
    ),
    listen('window', 'pagehide').pipe(map(() => true)),
  ).pipe(
    concatMap((isUnloading) => of<PageExit[]>({ step: 'beforeFlush', isUnloading }, { step: 'flush', isUnloading })),
    share(),
  );
