import { EMPTY, filter, map, merge, type Observable, startWith, takeWhile } from 'rxjs';

import { ownFields } from '../hardening/ownFields';
import { queriedOf } from '../model/cohorts';
import type { AppStatePatch } from './appState';
import { type AppStateDeps, appStateStore } from './appStateStore';
import { maxLeft } from './evaluation';
import { newestEvents } from './newestEvents';
import type { Evaluation } from './visitParts';
import type { VisitInput } from './visits';

/**
 * Keeps in local storage what the next page needs: the visitor's cohorts, the pause between uploads, and the events
 * that the engine has not saved.
 */
export const saveState = (
  { cohorts$, saved$, unsaved$ }: Pick<Evaluation, 'cohorts$' | 'saved$' | 'unsaved$'>,
  { delivery, stored, pageExit$ }: Pick<VisitInput, 'delivery' | 'stored' | 'pageExit$'>,
  deps: AppStateDeps,
): Observable<never> => {
  const upload: AppStatePatch = { upload: delivery.state };
  const patch$ = merge<AppStatePatch[]>(
    delivery.change$.pipe(map(() => upload)),
    cohorts$.pipe(map((cohorts) => ({ cohorts: queriedOf(cohorts), produced: ownFields(cohorts).produced }))),
  );
  // The events that the last page left unsaved stay until the engine has saved them: this page may crash before.
  const found = stored.unsaved.map(({ id }) => id);
  const taken$ = found.length === 0 ? EMPTY : saved$.pipe(map((id) => ({ taken: upTo(id, found) })));
  const urgent$ = merge<AppStatePatch[]>(
    unsaved$.pipe(map((left) => ({ taken: found, left: newestEvents(left, maxLeft, deps.json) }))),
    // Once those of the last page are saved, there is nothing more to take.
    taken$.pipe(takeWhile(({ taken }) => taken.length < found.length, true)),
    // A reset has erased the pause.
  ).pipe(startWith(upload));
  const flush$ = pageExit$.pipe(filter(({ step }) => step === 'flush'));
  return appStateStore(patch$, urgent$, flush$, deps);
};

/** The ids up to this one. All of them where it is not among them: it is of an event after them. */
const upTo = (id: string, ids: readonly string[]): readonly string[] => {
  const index = ids.indexOf(id);
  return index === -1 ? ids : ids.slice(0, index + 1);
};
