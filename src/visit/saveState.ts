import { filter, map, merge, type Observable, of } from 'rxjs';

import { ownFields } from '../hardening/ownFields';
import { queriedOf } from '../model/cohorts';
import type { AppStatePatch } from './appState';
import { type AppStateDeps, appStateStore } from './appStateStore';
import type { Evaluation } from './visitParts';
import type { VisitInput } from './visits';

/** Keeps in local storage what the next page needs: the visitor's cohorts, and the pause between uploads. */
export const saveState = (
  { cohorts$ }: Pick<Evaluation, 'cohorts$'>,
  { delivery, appState, pageExit$ }: Pick<VisitInput, 'delivery' | 'appState' | 'pageExit$'>,
  world: Omit<AppStateDeps, 'appState'>,
): Observable<never> => {
  const upload: AppStatePatch = { upload: delivery.state };
  const patch$ = merge<AppStatePatch[]>(
    delivery.change$.pipe(map(() => upload)),
    cohorts$.pipe(map((cohorts) => ({ cohorts: queriedOf(cohorts), produced: ownFields(cohorts).produced }))),
  );
  // A reset has erased the pause.
  const urgent$ = of(upload);
  const flush$ = pageExit$.pipe(filter(({ step }) => step === 'flush'));
  return appStateStore(patch$, urgent$, flush$, { ...world, appState });
};
