import { catchError, defer, EMPTY, filter, map, type Observable, of, switchMap, tap } from 'rxjs';

import { isRecord } from '../codecs/codecs';
import { ampCohorts } from '../endpoints/ampCohorts';
import { ampQuery } from '../endpoints/ampQuery';
import { call } from '../endpoints/call';
import { StatusError } from '../model/errors';
import { readNote, writeNote } from '../model/notes';
import { dayMs } from '../primitives/duration';
import { isWithin } from '../primitives/isWithin';
import { maxEntries } from './boundedCodes';
import { onceRealtime } from './realtimeCohorts';
import { requestPause } from './requestPause';
import { sendChanges } from './sendChanges';
import type { CohortService, ServiceDeps } from './service';

/** The list of AMP cohorts is asked for once in this time, in ms (contract: cohort services). */
export const ampListMs = dayMs;
/** Note: the list of AMP cohorts, and when it was asked for. */
const listNote = 'ampQuery';
/** Note: a request has succeeded. */
const readyNote = 'amp_ready';

/**
 * AMP: cohorts for the visitor's AMP pages, where no script of ours may run (spec S§7). The service sends the visitor's
 * cohorts that the list of AMP cohorts names, whenever they change. The list is asked for once this page has evaluated
 * its cohorts, because it is of no use before. Without `amp` in the project definition nothing is asked for or sent.
 */
export const ampMembership: CohortService = (streams, deps) =>
  onceRealtime(streams.cohorts$).pipe(
    filter(() => deps.project.amp === true),
    switchMap(() => ampIds(deps)),
    switchMap((ids) =>
      sendChanges(
        {
          noteName: 'ampSent',
          codesOf: ({ members }) => members.filter((id) => ids.includes(id)),
          send: (cohorts, userId) =>
            call(ampCohorts, { query: [['i', userId]], body: { cohorts } }, deps).pipe(
              tap(() => writeNote(readyNote, true, deps)),
            ),
          failure: 'Failed to send AMP cohorts',
        },
        streams,
        deps,
      ),
    ),
  );

/**
 * The ids of AMP cohorts: those of a stored list that is fresh, else those that the CDN has. A CDN that has no such
 * file says that there are none. Where it does not answer, nothing is known and nothing is sent; it is asked again
 * after the pause of a failed request.
 */
const ampIds = (deps: ServiceDeps): Observable<readonly string[]> =>
  defer(() => {
    const stored = readNote(listNote, deps);
    if (isRecord(stored) && isWithin(stored['time'], ampListMs, deps.now())) return of(idsIn(stored));
    const pause = requestPause('amp', deps);
    if (pause.isOn()) return EMPTY;
    return call(ampQuery, { params: { workspaceId: deps.project.workspaceId } }, deps).pipe(
      map(({ query }) => idsIn(query)),
      catchError((cause: unknown) => {
        deps.report('Failed to fetch AMP query', cause);
        if (cause instanceof StatusError && cause.status < 500) return of([]);
        pause.begin();
        return EMPTY;
      }),
      tap((cohorts) => writeNote(listNote, { time: deps.now(), cohorts }, deps)),
    );
  });

/** Cohort ids in `{cohorts: number[]}`; none where the input has another shape. */
const idsIn = (query: unknown): readonly string[] => {
  const cohorts: unknown = isRecord(query) ? query['cohorts'] : undefined;
  return Array.isArray(cohorts)
    ? cohorts
        .slice(0, maxEntries)
        .filter((id) => typeof id === 'number' || typeof id === 'string')
        .map(String)
    : [];
};
