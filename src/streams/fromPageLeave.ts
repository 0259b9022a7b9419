import { concatMap, filter, map, merge, type Observable, of, share } from 'rxjs';
import type { PageLeave } from '../model/pageLeave';
import type { Listen, Page } from '../platform/platform';

/** Hot while anyone listens. `visibilitychange` is the last event phones are sure to send, `pagehide` the last on a desktop. */
export const fromPageLeave = (listen: Listen, page: Page): Observable<PageLeave> =>
  merge(
    listen('document', 'visibilitychange').pipe(
      filter(() => page.hidden()),
      map(() => false),
    ),
    listen('window', 'pagehide').pipe(map(() => true)),
  ).pipe(
    concatMap((gone) => of<PageLeave[]>({ step: 'last words', gone }, { step: 'flush', gone })),
    share(),
  );
