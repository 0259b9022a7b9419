import { filter, ignoreElements, map, merge, type Observable, tap, withLatestFrom } from 'rxjs';

import type { Cohorts } from '../model/cohorts';
import type { Accepted } from '../sinks/delivery/deliver';
import { queuedEvent, uploadedCohorts } from './transitionEvents';
import type { VisitPage } from './visitParts';

/**
 * Hands every event that is to be uploaded over to delivery, with the visitor's id and cohorts of that moment. Events
 * marked `edgeOnly` are for the engine alone. `waiting$` emits events that wait for data, before `tracked$` emits them
 * with it.
 */
export const acceptEvents = (
  { tracked$, waiting$ }: Pick<VisitPage, 'tracked$' | 'waiting$'>,
  cohorts$: Observable<Cohorts>,
  userId: () => string,
  accept: (accepted: Accepted) => void,
): Observable<never> =>
  merge(
    tracked$.pipe(map((tracked) => ({ tracked, waits: false }))),
    waiting$.pipe(map((tracked) => ({ tracked, waits: true }))),
  ).pipe(
    filter(({ tracked }) => tracked.draft.edgeOnly !== true),
    // `cohorts$` is a state, so it has a value before the first event.
    withLatestFrom(cohorts$.pipe(map(({ members }) => uploadedCohorts(members)))),
    map(([{ tracked, waits }, cohorts]): Accepted => ({
      event: queuedEvent(tracked, userId(), cohorts),
      beacon: tracked.draft.beacon === true && !waits,
      waits,
    })),
    tap(accept),
    ignoreElements(),
  );
