import { filter, ignoreElements, map, type Observable, tap, withLatestFrom } from 'rxjs';

import type { Cohorts } from '../model/cohorts';
import type { Event, EventDraft } from '../model/event';
import type { Accepted } from '../sinks/delivery/deliver';
import { queuedEvent, uploadedCohorts } from './transitionEvents';

/**
 * Hands every event that is to be uploaded over to delivery, with the visitor's id and cohorts of that moment. Events
 * marked `edgeOnly` are for the engine alone.
 */
export const acceptEvents = (
  tracked$: Observable<{ readonly draft: EventDraft; readonly event: Event }>,
  cohorts$: Observable<Cohorts>,
  userId: () => string,
  accept: (accepted: Accepted) => void,
): Observable<never> =>
  tracked$.pipe(
    filter(({ draft }) => draft.edgeOnly !== true),
    // `cohorts$` is a state, so it has a value before the first event.
    withLatestFrom(cohorts$.pipe(map(({ members }) => uploadedCohorts(members)))),
    map(([tracked, cohorts]): Accepted => ({
      event: queuedEvent(tracked, userId(), cohorts),
      beacon: tracked.draft.beacon === true,
    })),
    tap(accept),
    ignoreElements(),
  );
