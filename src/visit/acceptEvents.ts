import { filter, ignoreElements, map, type Observable, tap, withLatestFrom } from 'rxjs';

import type { Cohorts } from '../model/cohorts';
import type { Event, EventDraft } from '../model/event';
import type { Accepted } from '../sinks/delivery/deliver';
import { queuedEvent } from './transitionEvents';

/** Passes every event that is to be uploaded to delivery, with the visitor's id and cohorts of that moment. */
export const acceptEvents = (
  tracked$: Observable<{ readonly draft: EventDraft; readonly event: Event }>,
  cohorts$: Observable<Cohorts>,
  userId: () => string,
  accept: (accepted: Accepted) => void,
): Observable<never> =>
  tracked$.pipe(
    filter(({ draft }) => draft.edgeOnly !== true),
    withLatestFrom(cohorts$),
    map(([tracked, { members }]): Accepted => ({
      event: queuedEvent(tracked, userId(), members),
      beacon: tracked.draft.beacon === true,
    })),
    tap(accept),
    ignoreElements(),
  );
