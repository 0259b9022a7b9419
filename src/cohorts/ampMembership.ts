import {
  catchError,
  debounceTime,
  defer,
  distinctUntilChanged,
  filter,
  ignoreElements,
  map,
  mergeMap,
  type Observable,
  of,
  tap,
} from 'rxjs';

import { ampCohorts as ampCohortsCall } from '../endpoints/ampCohorts';
import { ampQuery } from '../endpoints/ampQuery';
import { call } from '../endpoints/call';
import { isRecord } from '../model/codecs';
import { readNote, writeNote } from '../model/notes';
import { exhaustLatest } from '../operators/exhaustLatest';
import { isolate } from '../operators/isolate';
import type { CohortService, ServiceDeps } from './service';

/** The list of AMP cohorts is asked for once in this time, in ms (contract: cohort services). */
const freshMs = 86_400_000;
/** Cohorts are sent once they have not changed for this long, in ms (contract: cohort services). */
export const ampQuietMs = 5000;
/** Notes: the list of AMP cohorts and when it was asked for, what was sent last, and that a request has succeeded. */
const [queryNote, sentNote, readyNote] = ['ampQuery', 'ampSent', 'amp_ready'];

/**
 * AMP: cohorts for the visitor's AMP pages, where no script of ours may run (spec S§7). Those of the visitor's cohorts
 * that the list of AMP cohorts names are sent whenever they change.
 */
export const ampMembership: CohortService = ({ cohorts$, context }, deps) =>
  listed(deps).pipe(
    filter((ids) => ids.length > 0),
    mergeMap((ids) =>
      cohorts$.pipe(
        filter(({ isRealtime }) => isRealtime),
        map(({ members }) => members.filter((id) => ids.includes(id))),
        distinctUntilChanged((before, now) => before.join() === now.join()),
        debounceTime(ampQuietMs),
        filter((cohorts) => cohorts.join() !== (readNote(sentNote, deps) ?? '')),
      ),
    ),
    exhaustLatest((cohorts) =>
      call(ampCohortsCall, { query: [['i', context().user_id]], body: { cohorts } }, deps).pipe(
        tap(() => {
          writeNote(sentNote, cohorts.join(), deps);
          writeNote(readyNote, true, deps);
        }),
        isolate('Failed to send AMP cohorts', deps.report),
      ),
    ),
    ignoreElements(),
  );

/** The ids of AMP cohorts: those of a stored list that is fresh, else those that the CDN has; none where it fails. */
const listed = (deps: ServiceDeps): Observable<readonly string[]> =>
  defer(() => {
    const stored = readNote(queryNote, deps);
    if (isRecord(stored) && isFresh(stored['time'], deps.now())) return of(idsIn(stored));
    return call(ampQuery, { params: { workspaceId: deps.project.workspaceId } }, deps).pipe(
      map(({ query }) => idsIn(query)),
      catchError((cause: unknown) => {
        deps.report('Failed to fetch AMP query', cause);
        return of([]);
      }),
      tap((cohorts) => writeNote(queryNote, { time: deps.now(), cohorts }, deps)),
    );
  });

const isFresh = (time: unknown, now: number): boolean =>
  typeof time === 'number' && time <= now && now < time + freshMs;

/** Cohort ids in `{cohorts: number[]}`; none where the input has another shape. */
const idsIn = (query: unknown): readonly string[] => {
  const cohorts: unknown = isRecord(query) ? query['cohorts'] : undefined;
  return Array.isArray(cohorts)
    ? cohorts
        .slice(0, maxListed)
        .filter((id) => typeof id === 'number' || typeof id === 'string')
        .map(String)
    : [];
};
/** Longer lists are cut, because each change of cohorts looks through the list. */
const maxListed = 1000;
