import { defer, finalize, tap } from 'rxjs';

import type { Measured } from '../model/metric';
import type { Http } from '../platform/platform';

/**
 * Sends the same requests as `http`, and measures each one when it ends: answered, failed or aborted. A request without
 * an answer has the status `none`; a beacon is measured at once, because its answer is never seen.
 */
export const measuredHttp = (http: Http, now: () => number, measure: (measured: Measured) => void): Http => ({
  send: (request) =>
    defer(() => {
      const [{ method, url }, began] = [request, now()];
      let status = 'none';
      return http.send(request).pipe(
        tap((answer) => (status = String(answer.status))),
        finalize(() => measure({ type: 'request', method, url, status, ms: now() - began })),
      );
    }),
  beacon: (url, body) => {
    measure({ type: 'request', method: 'POST', url, status: 'beacon', ms: 0 });
    return http.beacon(url, body);
  },
});
