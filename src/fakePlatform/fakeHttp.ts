import { defer, type Observable, of } from 'rxjs';

import { json } from '../hardening/plainJson';
import type { Http, HttpAnswer, HttpRequest } from '../platform/platform';

/**
 * The answer of a server that takes all events of a request and knows nothing of place and content; an empty list to
 * any other request.
 */
export const takenAnswer = ({ url, body }: HttpRequest): HttpAnswer => {
  if (/geoip|watson/.test(url)) return { status: 200, body: '{}' };
  const events = url.includes('/batch/events') ? json.parse(body ?? '[]') : [];
  return { status: 200, body: json.stringify(Array.isArray(events) ? events.map(() => ({ code: 200 })) : []) };
};

/** How a server answers. */
export type Send = (request: HttpRequest) => Observable<HttpAnswer>;

/** A network with one server, and the requests that were made. Default: the server takes everything. */
export const fakeHttp = (
  send: Send = (request) => of(takenAnswer(request)),
): { readonly http: Http; readonly requests: readonly HttpRequest[] } => {
  const requests: HttpRequest[] = [];
  return {
    requests,
    http: {
      send: (request) =>
        defer(() => {
          requests.push(request);
          return send(request);
        }),
      beacon: () => true,
    },
  };
};
