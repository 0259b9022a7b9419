import { lastValueFrom, map, takeUntil, takeWhile, timer } from 'rxjs';

import type { AdRequestRow } from '../adRequests/adRequest';
import { adRequestsOnPage } from '../adRequests/seenOnPage';
import { toldEntries } from '../adRequests/toldEntries';
import type { InspectedPage } from '../inspectedPage';
import { valueWithin } from './askPage';

/**
 * How long a cohort that the visitor has entered may take until its event says so, in ms: it is published after 500 ms
 * without another one, and later on a busy page.
 */
const entryPatience = 3_000;
const lookEveryMs = 250;
/** What partners are told is known at once where the visitor has begun and allowed it. In ms. */
const toldPatience = 500;

/**
 * The ad requests of the page, once each code that they lack is known to be older than the page or to have come with
 * it.
 */
export const settledAdRequests = async (page: InspectedPage): Promise<readonly AdRequestRow[]> => {
  const told = await valueWithin(toldPatience, toldEntries(page), undefined);
  const rows$ = timer(0, lookEveryMs).pipe(
    map(() => adRequestsOnPage(page, told)),
    takeWhile((rows) => rows.some(({ missing }) => missing.length > 0), true),
    takeUntil(timer(entryPatience)),
  );
  return lastValueFrom(rows$, { defaultValue: [] });
};
