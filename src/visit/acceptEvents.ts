import { ignoreElements, map, merge, type Observable, tap, withLatestFrom } from 'rxjs';

import type { Experiment } from '../contracts/experiment';
import { ownFields } from '../hardening/ownFields';
import type { Cohorts } from '../model/cohorts';
import type { Accepted } from '../sinks/delivery/deliver';
import { queuedEvent, uploadedCohorts } from './transitionEvents';
import type { VisitPage } from './visitParts';

/**
 * Hands every event over to delivery, with the visitor's id and cohorts of that moment. Events marked `edgeOnly` are
 * for the engine alone, so they count as uploaded. `waiting$` emits events that wait for data, before `tracked$` emits
 * them with it.
 */
export const acceptEvents = (
  { tracked$, waiting$ }: Pick<VisitPage, 'tracked$' | 'waiting$'>,
  cohorts$: Observable<Cohorts>,
  { groupOf }: Pick<Experiment, 'groupOf'>,
  userId: () => string,
  accept: (accepted: Accepted) => void,
): Observable<never> =>
  merge(
    tracked$.pipe(map((tracked) => ({ tracked, waits: false }))),
    waiting$.pipe(map((tracked) => ({ tracked, waits: true }))),
  ).pipe(
    // `cohorts$` is a state, so it has a value before the first event.
    withLatestFrom(cohorts$.pipe(map(({ members }) => uploadedCohorts(members)))),
    map(([{ tracked, waits }, cohorts]): Accepted => {
      const id = userId();
      const { beacon, provisional, edgeOnly } = ownFields(tracked.draft);
      return {
        event: queuedEvent(tracked, id, cohorts, groupOf(id)),
        beacon: beacon === true && !waits,
        waits,
        number: tracked.number,
        isProvisional: provisional === true,
        isUploaded: edgeOnly === true,
      };
    }),
    tap(accept),
    ignoreElements(),
  );
