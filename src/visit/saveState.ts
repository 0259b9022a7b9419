import { filter, map, merge, type Observable, startWith } from 'rxjs';

import { queriedOf } from '../model/cohorts';
import { newestEvents } from '../model/newestEvents';
import { ownFields } from '../model/ownFields';
import type { AppStatePatch } from '../sinks/delivery/appState';
import { type AppStateDeps, appStateStore } from '../sinks/delivery/appStateStore';
import { segmentKeys } from '../sinks/segmentKeys';
import { type Evaluation, maxLeft } from './evaluation';
import type { VisitInput } from './visits';

/**
 * Keeps in local storage what the next page and partners need: the visitor's cohorts, the pause between uploads, the
 * events that the engine has not saved, and the list of cohort numbers for partners.
 */
export const saveState = (
  { cohorts$, unsaved$ }: Pick<Evaluation, 'cohorts$' | 'unsaved$'>,
  { delivering, stored, pageExit$ }: Pick<VisitInput, 'delivering' | 'stored' | 'pageExit$'>,
  deps: AppStateDeps,
): Observable<never> => {
  const upload: AppStatePatch = { upload: delivering.state };
  const patch$ = merge<AppStatePatch[]>(
    delivering.change$.pipe(map(() => upload)),
    cohorts$.pipe(map((cohorts) => ({ cohorts: queriedOf(cohorts), produced: ownFields(cohorts).produced }))),
  );
  const urgent$ = unsaved$.pipe(
    map((left): AppStatePatch => ({ left: newestEvents(left, maxLeft, deps.json) })),
    // Events that the last page left unsaved belong to this visit's engine now, so no other tab may take them. The
    // pause is written too, because a reset has erased it.
    startWith({ ...upload, taken: stored.unsaved.map(({ id }) => id) }),
  );
  const flush$ = pageExit$.pipe(filter(({ step }) => step === 'flush'));
  return merge(appStateStore(patch$, urgent$, flush$, deps), segmentKeys(cohorts$, deps));
};
