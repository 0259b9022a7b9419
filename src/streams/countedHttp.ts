import { defer, finalize, tap } from 'rxjs';
import type { Measured } from '../model/metric';
import type { Http } from '../platform/platform';

/** The same requests, each measured when it is over. */
export const countedHttp = (http: Http, now: () => number, measure: (measured: Measured) => void): Http => ({
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
