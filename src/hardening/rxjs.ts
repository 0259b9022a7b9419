import { config, Observable } from 'rxjs';
// eslint-disable-next-line rxjs-x/no-internal -- a field of it is read before it is set
import { AsyncAction } from 'rxjs/internal/scheduler/AsyncAction';

/**
 * Keeps RxJS apart from the page: errors that no stream handles go to `onError` and not to the page's `onerror`, and
 * fields of `Object.prototype` are not taken for fields of RxJS.
 */
export const hardenRxjs = (onError: (error: unknown) => void): void => {
  config.onUnhandledError = onError;
  // RxJS reads this field of an action before it sets the field: one of `Object.prototype` would be taken for a timer.
  AsyncAction.prototype.id = undefined;
  // The same holds for these fields of a stream that no operator has made.
  void Object.assign(Observable.prototype, { operator: undefined, source: undefined });
};
