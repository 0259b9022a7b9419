import { defer, EMPTY, type Observable } from 'rxjs';

/**
 * Runs an action when it is subscribed to, in its turn of a `concat` or `merge`, and completes without a value. An
 * action that throws is an error of the stream.
 */
export const perform = (action: () => void): Observable<never> =>
  defer(() => {
    action();
    return EMPTY;
  });
