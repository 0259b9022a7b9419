import {
  buffer,
  catchError,
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
} from 'rxjs';

import { call, type CallDeps } from '../endpoints/call';
import { type ErrorReport, reportErrors } from '../endpoints/reportErrors';
import type { Tools } from '../platform/platform';
import { errorReport, type Reported } from './errorReport';

/** Errors come in bursts. Reports are sent once there was no further error for this long, in ms (spec C§9). */
const errorsQuietMs = 5000;
/** Reports that a page may send, however often it fails. */
const maxPerPage = 15;
/**
 * What the specification has logged and not reported (spec S§8). Such an error is about the page or the CDN, and a site
 * has it on every page.
 */
const loggedOnly: readonly string[] = [
  'Unable to find google tag script',
  'Unable to find appnexus tag script',
  'Failed fetching binary models, reverting to JSON.',
  'Missing element for a click listener',
];

export interface ErrorReportsDeps extends CallDeps, Pick<Tools, 'page' | 'now'> {
  /** The visitor's id; undefined before the first visit. */
  readonly userId: () => string | undefined;
  /**
   * Messages that were sent or are about to be. The set outlives the stream, so that a message is not sent again after
   * consent was withdrawn and given.
   */
  readonly said: Set<string>;
}

/**
 * Sends error reports to the provider, where the setting `sendClientErrors` allows it: each message once a page, in
 * requests of one report, one request at a time. What fails here is not reported, because its report would fail in the
 * same way, and it is not sent again (spec C§6, C§8). Emits nothing.
 */
export const errorReports = (reported$: Observable<Reported>, deps: ErrorReportsDeps): Observable<never> => {
  const { said, setting, page, now, userId } = deps;
  return reported$.pipe(
    filter(({ message }) => !loggedOnly.includes(message)),
    filter(() => said.size < maxPerPage && setting('sendClientErrors')),
    // Making a report reads the page and may throw; such a report is dropped.
    mergeMap((reported) => defer(() => of(errorReport(reported, page, now(), userId()))).pipe(catchError(() => EMPTY))),
    filter(({ error_message }) => !said.has(error_message)),
    tap(({ error_message }) => said.add(error_message)),
    connect((report$) => report$.pipe(buffer(report$.pipe(debounceTime(errorsQuietMs))))),
    concatMap((reports) => reports),
    concatMap((report) => send(report, deps)),
    ignoreElements(),
  );
};

/** Sends one report, and completes whether the server took it or not. Without a network nothing is tried. */
const send = (report: ErrorReport, deps: ErrorReportsDeps): Observable<unknown> =>
  defer(() => (deps.page.online() ? call(reportErrors, { body: [report] }, deps) : EMPTY)).pipe(
    catchError(() => EMPTY),
  );
