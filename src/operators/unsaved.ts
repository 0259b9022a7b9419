import { merge, type Observable, scan, startWith } from 'rxjs';
import type { Event } from '../model/event';

/**
 * State: the events that were given to the engine and are not in its saved state yet.
 *
 *     event:   -a-b-----c-
 *     saved:   -----b-----      everything up to b
 *     result:  xy-z-w---v-      [], [a], [a b], [], [c]
 */
export const unsaved = (event$: Observable<Event>, saved$: Observable<string>): Observable<readonly Event[]> =>
  merge(event$, saved$).pipe(
    scan<Event | string, readonly Event[]>(
      (list, input) => (typeof input === 'string' ? list.slice(list.findIndex(({ id }) => id === input) + 1) : [...list, input]),
      [],
    ),
    startWith([]),
  );
