import { catchError, mergeMap, throwError, timer } from 'rxjs';

import type { Http } from '../platform/platform';

/** For how long a failure is kept back, in ms: most sites answer for their next page within this time. */
export const lateMs = 3000;

/**
 * Requests whose failures are told a while later. Browsers end the requests of a page as it goes, Safari already when
 * the next page is asked for, which says nothing of a server. A page that has gone by then hears of no failure.
 */
export const lateFailures = (http: Http): Http => ({
  ...http,
  send: (request) =>
    http
      .send(request)
      .pipe(catchError((cause: unknown) => timer(lateMs).pipe(mergeMap(() => throwError(() => cause as Error))))),
});
