import { concatMap, filter, map, merge, type Observable, of, share } from 'rxjs';

import type { PageExit } from '../../model/pageSignal';
import type { Listen, Page } from '../../platform/platform';

/**
 * Hot while anyone listens. `visibilitychange` is the last event phones are sure to send, `pagehide` the last on a
 * desktop.
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
