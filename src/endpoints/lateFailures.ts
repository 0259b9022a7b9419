import { catchError, mergeMap, throwError, timer } from 'rxjs';

import type { Http } from '../platform/platform';

/**
 * Requests whose failures are told in the next task. Browsers end the requests of a page as it goes, which says nothing
 * of a server. A page that goes has no next task, so nobody hears of that.
 */
export const lateFailures = (http: Http): Http => ({
  ...http,
  send: (request) =>
    http
      .send(request)
      .pipe(catchError((cause: unknown) => timer(0).pipe(mergeMap(() => throwError(() => cause as Error))))),
});
