import { catchError, EMPTY, type MonoTypeOperatorFunction } from 'rxjs';

import type { Report } from '../model/report';

/** Reports a failure and ends this one stream, so that its siblings in a `merge` carry on. */
export const isolate = <T>(message: string, report: Report): MonoTypeOperatorFunction<T> =>
  catchError((cause: unknown) => {
    report(message, cause);
    return EMPTY;
  });
