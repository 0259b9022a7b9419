import { merge, type Observable, share } from 'rxjs';

import type { Listen } from '../../platform/platform';

/** DOM events that count as activity of the visitor (spec S§9). */
const dirtyEvents = ['mousemove', 'click', 'scroll'];

/** Hot while anyone listens: the visitor moved the mouse, clicked or scrolled. */
export const fromActivity = (listen: Listen): Observable<unknown> =>
  merge(...dirtyEvents.map((type) => listen('document', type))).pipe(share());
