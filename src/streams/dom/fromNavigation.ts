import { catchError, delay, EMPTY, filter, type Observable } from 'rxjs';

import type { Listen } from '../../platform/platform';

/**
 * Emits when the page has asked for another document in its place: by a link, a form or a script. Buttons of the
 * browser are not told. The page lives on until that document answers, and may stay, where the answer is a download or
 * the visitor stops it. Hot. Completes where the browser has no Navigation API.
 */
export const fromNavigation = (listen: Listen): Observable<unknown> =>
  listen('navigation', 'navigate').pipe(
    filter((event) => isDeparture(event as NavigateEvent)),
    // In a task of its own, so that the browser sends its request first.
    delay(0),
    // `navigation` is a name that pages have variables of, too.
    catchError(() => EMPTY),
  );

/** Whether another document has been asked for. A page may dispatch events of its own, without the fields. */
const isDeparture = ({ destination, downloadRequest }: Partial<NavigateEvent>): boolean =>
  destination?.sameDocument === false && typeof downloadRequest !== 'string' && /^https?:/.test(destination.url);
