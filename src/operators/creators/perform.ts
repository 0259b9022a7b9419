import { defer, EMPTY, type Observable } from 'rxjs';

/** Does something when subscribed, in its turn of a `concat` or `merge`, and completes without a value. */
export const perform = (action: () => void): Observable<never> =>
  defer(() => {
    action();
    return EMPTY;
  });
