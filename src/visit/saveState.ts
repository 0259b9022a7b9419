import { filter, map, merge, type Observable, startWith } from 'rxjs';

import { ownFields } from '../model/ownFields';
import type { AppStatePatch } from '../sinks/delivery/appState';
import { type AppStateDeps, appStateStore } from '../sinks/delivery/appStateStore';
import { segmentKeys } from '../sinks/segmentKeys';
import type { Evaluation } from './evaluation';
import type { Visitor } from './visitor';
import type { VisitInput } from './visits';

/** Events that a page leaves to the next engine, at most: the newest. More would hold up the page while it unloads. */
const maxLeft = 1000;

export interface SaveStateInput
  extends Pick<VisitInput, 'delivering' | 'stored' | 'pageExit$'>, Pick<Visitor, 'isReplaced'> {}

/**
 * Keeps in local storage what the next page and partners need: the visitor's cohorts, the pause between uploads, the
 * events that the engine has not saved, and the list of cohort numbers for partners. A page that has not heard that the
 * user has changed in another tab stores nothing of its own user.
 */
export const saveState = (
  results: Pick<Evaluation, 'cohorts$' | 'unsaved$'>,
  { delivering, stored, pageExit$, isReplaced }: SaveStateInput,
  deps: AppStateDeps,
): Observable<never> => {
  const cohorts$ = results.cohorts$.pipe(filter(() => !isReplaced()));
  const upload: AppStatePatch = { upload: delivering.state };
  const patch$ = merge<AppStatePatch[]>(
    delivering.change$.pipe(map(() => upload)),
    cohorts$.pipe(
      map(ownFields),
      map(({ members, queried = members, produced }) => ({ cohorts: queried, produced })),
    ),
  );
  const urgent$ = results.unsaved$.pipe(
    filter(() => !isReplaced()),
    map((left): AppStatePatch => ({ left: left.slice(-maxLeft) })),
    // Events that the last page left unsaved belong to this visit's engine now, so no other tab may take them. The
    // pause is written too, because a reset has erased it.
    startWith({ ...upload, taken: stored.unsaved.map(({ id }) => id) }),
  );
  const flush$ = pageExit$.pipe(filter(({ step }) => step === 'flush'));
  return merge(appStateStore(patch$, urgent$, flush$, deps), segmentKeys(cohorts$, deps));
};
