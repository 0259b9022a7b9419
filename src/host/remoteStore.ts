import { defer, filter, first, map, type Observable } from 'rxjs';
import type { FromHost, ToHost } from '../model/protocol';
import { QuotaError } from '../model/quotaError';
import type { KeyValueStore } from '../platform/platform';

/** A store kept by the page (local storage, which a worker does not have), asked by messages. */
export const remoteStore = (post: (message: FromHost) => void, message$: Observable<ToHost>): KeyValueStore => {
  let requests = 0;
  const ask = (question: (request: number) => FromHost): Observable<string | null> =>
    defer(() => {
      const request = (requests += 1);
      post(question(request));
      return message$.pipe(
        filter((message) => message.type === 'stored'),
        first((message) => message.request === request),
        map(({ text, failure }) => {
          if (failure === 'quota') throw new QuotaError();
          return text;
        }),
      );
    });
  return {
    read: (key) => ask((request) => ({ type: 'read', request, key })),
    write: (key, text) => ask((request) => ({ type: 'write', request, key, text })).pipe(map(() => undefined)),
  };
};
