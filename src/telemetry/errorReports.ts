import {
  buffer,
  catchError,
  concat,
  concatMap,
  connect,
  debounceTime,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  mergeMap,
  type Observable,
  of,
  tap,
  timer,
} from 'rxjs';

import { call, type CallDeps } from '../endpoints/call';
import { type ErrorReport, reportErrors } from '../endpoints/reportErrors';
import type { Page } from '../platform/platform';
import { errorReport, type Reported } from './errorReport';

/** Errors come in bursts: the first report goes once they are quiet, the others one by one after it (spec C§9). */
const errorsQuietMs = 5000;
/** Reports a page may send, however often it fails. */
const maxPerPage = 15;

export interface ErrorReportsDeps extends CallDeps {
  readonly page: Page;
  readonly now: () => number;
  readonly userId: () => string | undefined;
  /** Messages that this page has sent. */
  readonly said: Set<string>;
}

/**
 * Sends what is reported to the provider, where `sendClientErrors` allows it: each message once, in requests of one
 * report. What fails here is not reported, and nothing is sent again (spec C§6, C§8).
 */
export const errorReports = (reported$: Observable<Reported>, deps: ErrorReportsDeps): Observable<never> => {
  const { said, setting, page, now, userId } = deps;
  return reported$.pipe(
    filter(() => said.size < maxPerPage && setting('sendClientErrors')),
    mergeMap((reported) => defer(() => of(errorReport(reported, page, now(), userId()))).pipe(catchError(() => EMPTY))),
    filter(({ error_message }) => !said.has(error_message)),
    tap(({ error_message }) => said.add(error_message)),
    connect((report$) => report$.pipe(buffer(report$.pipe(debounceTime(errorsQuietMs))))),
    concatMap((reports) => reports),
    // concatMap: one request at a time.
    concatMap((report) => concat(send(report, deps), timer(errorsQuietMs))),
    ignoreElements(),
  );
};

const send = (report: ErrorReport, deps: ErrorReportsDeps): Observable<unknown> =>
  defer(() => (deps.page.online() ? call(reportErrors, { body: [report] }, deps) : EMPTY)).pipe(
    catchError(() => EMPTY),
  );
