import { map, type Observable } from 'rxjs';

import type { Event, EventDraft } from '../model/event';
import { shareState } from '../operators/shareState';
import { pageviews } from './pageviews';

/** Events that are kept, at most. The oldest are left out. */
const maxLatest = 200;

/** An event, and the draft that it was made of. */
interface Tracked {
  readonly draft: EventDraft;
  readonly event: Event;
}

/** Events of the visit that are kept for services, which load later. */
export const latestEvents = (tracked$: Observable<Tracked>, stop$: Observable<unknown>) => ({
  /** State with a history: the latest events. */
  latest$: tracked$.pipe(shareState(stop$, maxLatest)),
  /** State without a value at first: the latest Pageview. */
  pageview$: pageviews(tracked$.pipe(map(({ event }) => event)), stop$),
});
