import { filter, type Observable } from 'rxjs';

import type { Event } from '../model/event';
import { shareState } from '../operators/shareState';

/** State: the latest Pageview. It is kept for services that load later. */
export const pageviews = (event$: Observable<Event>, stop$: Observable<unknown>): Observable<Event> =>
  event$.pipe(
    filter(({ name }) => name === 'Pageview'),
    shareState(stop$),
  );
