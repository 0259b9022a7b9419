import { ignoreElements, merge, type Observable, tap } from 'rxjs';

import type { VisitStreams } from '../api/observer';
import { causesOfEvent, causesOfTransition, linkTransition } from './causes';
import type { Log } from './log';

/** Notes the results of a visit. Every inspector has them, also one that opened late. */
export const visitTaps = (visit: VisitStreams, log: Log): Observable<never> =>
  merge(
    visit.event$.pipe(
      tap((event) => {
        const causes = causesOfEvent(event, log);
        log.link(
          `event ${event.id}`,
          log.note({ lane: 'events', type: event.name, data: event, ...(causes && { causes }) }),
        );
      }),
    ),
    visit.cohorts$.pipe(tap((cohorts) => log.note({ lane: 'cohorts', type: 'cohorts', data: cohorts }))),
    visit.transition$.pipe(
      tap((transition) =>
        linkTransition(
          transition,
          log.note({
            lane: 'transitions',
            type: transition.entry ? 'entry' : 'exit',
            data: transition,
            causes: causesOfTransition(transition, log),
          }),
          log,
        ),
      ),
    ),
    visit.stage$.pipe(tap((stage) => log.note({ lane: 'engine', type: stage, data: null }))),
    visit.service$.pipe(tap((output) => log.note({ lane: 'cohorts', type: output.type, data: output }))),
    visit.delivery$.pipe(
      tap((delivery) =>
        log.note({
          lane: 'uploads',
          type: 'delivered',
          data: delivery,
          causes: log.linked(`event ${delivery.id}`),
        }),
      ),
    ),
  ).pipe(ignoreElements());
