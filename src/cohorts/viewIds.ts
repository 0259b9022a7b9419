import { defer, distinctUntilChanged, map, type Observable, startWith } from 'rxjs';

import type { Event } from '../model/event';

/**
 * State: the id of the view, which is noticed by its first event. Each reader starts with the view of its moment, which
 * `current` gives. The state ends, and errors, with the events.
 *
 *     events:  --a-b--b|     a is of the view v, b of w
 *     views:   v---w---|
 */
export const viewIds = (event$: Observable<Pick<Event, 'view_id'>>, current: () => string): Observable<string> =>
  defer(() =>
    event$.pipe(
      map(({ view_id }) => view_id),
      startWith(current()),
      distinctUntilChanged(),
    ),
  );
