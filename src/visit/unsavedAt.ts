import { defer, ignoreElements, map, merge, type Observable, tap } from 'rxjs';

import type { KeptEvent } from '../model/event';

/**
 * Emits, at each `when$`, the events that were given to the engine and are not in its saved state yet. `saved$`: the id
 * of an event that is saved, and with it all events before it. An unknown id changes nothing. The newest `max` events
 * are kept, because an engine that hangs saves none.
 *
 *     event:   -a-b-----c-
 *     saved:   -----b-----      everything up to b
 *     when:    x-y---z---v      [], [a], [], [c]
 */
export const unsavedAt = (
  event$: Observable<KeptEvent>,
  saved$: Observable<string>,
  when$: Observable<unknown>,
  max: number,
): Observable<readonly KeptEvent[]> =>
  defer(() => {
    let list: KeptEvent[] = [];
    return merge(
      merge(
        event$.pipe(
          tap((event) => {
            if (list.push(event) > max) list.shift();
          }),
        ),
        saved$.pipe(tap((saved) => (list = list.slice(list.findIndex(({ id }) => id === saved) + 1)))),
      ).pipe(ignoreElements()),
      when$.pipe(map(() => [...list])),
    );
  });
