import { filter, merge, type Observable } from 'rxjs';

import type { Listen, Page } from '../../platform/platform';

/**
 * Emits when the focus moves into a frame, another window or another tab. Browsers give no other sign of a click in an
 * ad's frame. Cold: each subscription has its own listeners.
 */
export const fromFocusLoss = (listen: Listen, { hidden }: Pick<Page, 'hidden'>): Observable<unknown> =>
  merge(listen('window', 'blur'), listen('document', 'visibilitychange').pipe(filter(hidden)));
