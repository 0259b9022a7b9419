import { EMPTY, filter, map, merge, type Observable, startWith } from 'rxjs';

import type { AppStatePatch } from '../sinks/delivery/appState';
import { type AppStateDeps, appStateStore, isDebounced } from '../sinks/delivery/appStateStore';
import { segmentKeys } from '../sinks/segmentKeys';
import type { Evaluation } from './evaluation';
import type { VisitInput } from './visits';

/**
 * Keeps in local storage what the next page and partners need: the visitor's cohorts, the upload queue, the events that
 * the engine has not saved, and the list of cohort numbers for partners.
 */
export const saveState = (
  { cohorts$, unsaved$ }: Pick<Evaluation, 'cohorts$' | 'unsaved$'>,
  { delivering, stored, pageExit$ }: Pick<VisitInput, 'delivering' | 'stored' | 'pageExit$'>,
  deps: AppStateDeps,
): Observable<never> => {
  const upload: AppStatePatch = { upload: delivering.state };
  const patch$ = merge<AppStatePatch[]>(
    // `change$` emits up to 50 ms before the event is in the queue. A debounced write comes later than that as a rule;
    // a write that is not put off waits for `queued$`.
    merge(delivering.change$, isDebounced(deps.setting) ? EMPTY : delivering.queued$).pipe(map(() => upload)),
    cohorts$.pipe(map(({ members }) => ({ cohorts: members }))),
  );
  const urgent$ = unsaved$.pipe(
    map((left): AppStatePatch => ({ left })),
    // Events that the last page left unsaved belong to this visit's engine now, so no other tab may take them. The
    // upload queue is written too, because a reset has erased it.
    startWith({ ...upload, taken: stored.unsaved.map(({ id }) => id) }),
  );
  const flush$ = pageExit$.pipe(filter(({ step }) => step === 'flush'));
  return merge(appStateStore(patch$, urgent$, flush$, deps), segmentKeys(cohorts$, deps));
};
