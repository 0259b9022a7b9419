import { BehaviorSubject, defer, distinctUntilChanged, finalize, map, type Observable } from 'rxjs';

import type { Http } from '../platform/platform';

/** Requests, and whether any of them is under way. */
export interface CountedHttp {
  /** Sends the same requests as the one that it was made of. */
  readonly http: Http;
  /** State: whether no request of `http` is under way. */
  readonly isIdle$: Observable<boolean>;
}

/** Counts requests from subscription until they are answered, have failed or were aborted. */
export const countedHttp = ({ send, beacon }: Http): CountedHttp => {
  // eslint-disable-next-line no-restricted-syntax -- a count that requests change, and a state that others read
  const count$ = new BehaviorSubject(0);
  let count = 0;
  const change = (by: number): void => count$.next((count += by));
  return {
    http: {
      send: (request) =>
        defer(() => {
          change(1);
          return send(request).pipe(finalize(() => change(-1)));
        }),
      beacon,
    },
    isIdle$: count$.pipe(
      map((count) => count === 0),
      distinctUntilChanged(),
    ),
  };
};
