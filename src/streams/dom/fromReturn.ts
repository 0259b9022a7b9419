import { filter, type Observable, share } from 'rxjs';

import type { Listen } from '../../platform/platform';

/** Emits when the page returns from the back-forward cache. Hot while anyone listens. */
export const fromReturn = (listen: Listen): Observable<unknown> =>
  listen('window', 'pageshow').pipe(
    filter((event) => (event as PageTransitionEvent).persisted),
    share(),
  );
