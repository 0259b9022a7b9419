import { merge, type Observable } from 'rxjs';

import type { VisitStreams } from '../api/observer';
import { causesOfEvent, causesOfTransition, linkTransition } from './causes';
import { type Log, notedIn } from './log';

/** Notes the results of a visit. Every inspector has them, also one that opened late. */
export const visitTaps = (visit: VisitStreams, log: Log): Observable<never> => {
  const noted = notedIn(log);
  return merge(
    noted(
      visit.event$,
      (data) => ({ lane: 'events', type: data.name, data, causes: causesOfEvent(data, log) }),
      (event, id) => log.link(`event ${event.id}`, id),
    ),
    noted(visit.cohorts$, (data) => ({ lane: 'cohorts', type: 'cohorts', data })),
    noted(
      visit.transition$,
      (data) => ({
        lane: 'transitions',
        type: data.entry ? 'entry' : 'exit',
        data,
        causes: causesOfTransition(data, log),
      }),
      (transition, id) => linkTransition(transition, id, log),
    ),
    noted(visit.stage$, (type) => ({ lane: 'engine', type, data: null })),
    noted(visit.service$, (data) => ({ lane: 'cohorts', type: data.type, data })),
    noted(visit.delivery$, (data) => ({
      lane: 'uploads',
      type: 'delivered',
      data,
      causes: log.linked(`event ${data.id}`),
    })),
  );
};
