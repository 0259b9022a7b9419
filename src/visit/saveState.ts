import { EMPTY, filter, map, merge, type Observable, startWith } from 'rxjs';

import type { AppStatePatch } from '../sinks/delivery/appState';
import { type AppStateDeps, appStateStore, isDebounced } from '../sinks/delivery/appStateStore';
import { segmentKeys } from '../sinks/segmentKeys';
import type { Evaluation } from './evaluation';
import type { VisitInput } from './visits';

/**
 * Keeps in local storage what the next page and partners need: the visitor's cohorts, the upload queue, and the events
 * that the engine has not saved.
 */
export const saveState = (
  { cohorts$, unsaved$ }: Pick<Evaluation, 'cohorts$' | 'unsaved$'>,
  { delivering, stored, pageExit$ }: Pick<VisitInput, 'delivering' | 'stored' | 'pageExit$'>,
  deps: AppStateDeps,
): Observable<never> => {
  const upload: AppStatePatch = { upload: delivering.state };
  const patch$ = merge<AppStatePatch[]>(
    // A write that is not put off must wait until the event is in the queue.
    merge(delivering.change$, isDebounced(deps.setting) ? EMPTY : delivering.queued$).pipe(map(() => upload)),
    cohorts$.pipe(map(({ members }) => ({ cohorts: members }))),
  );
  const urgent$ = unsaved$.pipe(
    map((left): AppStatePatch => ({ left })),
    // Events that the last page left are this visit's now, so no other tab may take them. After a reset the queue is
    // written anew.
    startWith({ ...upload, taken: stored.unsaved.map(({ id }) => id) }),
  );
  const flush$ = pageExit$.pipe(filter(({ step }) => step === 'flush'));
  return merge(appStateStore(patch$, urgent$, flush$, deps), segmentKeys(cohorts$, deps));
};
