import { catchError, EMPTY, type MonoTypeOperatorFunction } from 'rxjs';

import type { Report } from '../model/report';

/** Reports an error under the message and completes this one stream, so that its siblings in a `merge` go on. */
export const isolate = <T>(message: string, report: Report): MonoTypeOperatorFunction<T> =>
  catchError((cause: unknown) => {
    report(message, cause);
    return EMPTY;
  });
