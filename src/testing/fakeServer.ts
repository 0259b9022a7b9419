import { Observable } from 'rxjs';

import { takenAnswer } from '../fakePlatform/fakeHttp';
import { json } from '../hardening/plainJson';
import type { Event } from '../model/event';
import type { HttpAnswer, HttpRequest } from '../platform/platform';

/**
 * A server that takes each event unless `refusal` says why not, and knows no visitor by another id. `act` runs what the
 * SDK does with an answer.
 */
export const fakeServer = (refusal: (event: Event) => string | undefined, act: (action: () => void) => void) => {
  const refused = new Map<string, string>();
  let waiting = 0;
  const resultOf = (event: Event): { readonly code: number } => {
    const reason = refusal(event);
    if (reason !== undefined) refused.set(event.id, reason);
    return { code: reason === undefined ? 200 : 400 };
  };
  const answerTo = (request: HttpRequest): HttpAnswer => {
    const { url, body = '' } = request;
    // The server answers with the id that was sent.
    if (url.includes('/identify')) return { status: 200, body };
    if (!url.includes('/batch/events')) return takenAnswer(request);
    return { status: 200, body: json.stringify((json.parse(body) as readonly Event[]).map(resultOf)) };
  };
  return {
    /** Whether a request waits for its answer. */
    isAsked: (): boolean => waiting > 0,
    /** Why an event was refused; undefined where it was not. */
    refusalOf: (id: string): string | undefined => refused.get(id),
    /** Answers each request in a microtask. */
    send: (request: HttpRequest): Observable<HttpAnswer> =>
      new Observable((subscriber) => {
        waiting += 1;
        void Promise.resolve().then(() => {
          waiting -= 1;
          if (subscriber.closed) return;
          act(() => {
            subscriber.next(answerTo(request));
            subscriber.complete();
          });
        });
      }),
  };
};
