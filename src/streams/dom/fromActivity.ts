import { merge, type Observable, share } from 'rxjs';

import type { Listen } from '../../platform/platform';

/** DOM events that count as activity of the visitor (spec S§9). */
const dirtyEvents = ['mousemove', 'click', 'scroll'];

/**
 * Emits the DOM event each time the visitor moves the mouse, clicks or scrolls. Hot while anyone listens: one set of
 * listeners serves all readers.
 */
export const fromActivity = (listen: Listen): Observable<unknown> =>
  merge(...dirtyEvents.map((type) => listen('document', type))).pipe(share());
