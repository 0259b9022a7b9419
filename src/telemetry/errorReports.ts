import {
  catchError,
  concat,
  concatMap,
  connect,
  debounceTime,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  merge,
  mergeMap,
  type Observable,
  of,
  take,
  tap,
} from 'rxjs';

import { AnyString, list, object, readOr, shape } from '../codecs/codecs';
import { call, type CallDeps, type CallOptions } from '../endpoints/call';
import { type ErrorReport, reportErrors } from '../endpoints/reportErrors';
import { type NotesDeps, readNote, writeNote } from '../model/notes';
import type { PageContext } from '../model/pageContext';
import type { Tools } from '../platform/platform';
import { errorReport, type Reported } from './errorReport';

/** Errors come in bursts. Reports are sent once there was no further error for this long, in ms (spec C§9). */
const errorsQuietMs = 5000;
/** Reports that a page may send, however often it fails. */
const maxPerPage = 15;
/**
 * Ways of the SDK to go on where the browser or a service lacks something. Such a report says nothing new on the next
 * page, and is sent once a session.
 */
const fallbacks: readonly string[] = [
  'Local storage is used, IndexedDB failed',
  'WebWorker refused, queries are evaluated on the page',
  'Events journal is not available',
  'Third-party data is that of an earlier page',
  'Third-party data is empty',
  'Blocked by persistent backoff',
  'Blocked by backoff',
  'Advertiser segmentation request blocked by rate limiting',
];
/** The note that has the fallbacks that were sent in a session. */
const fallbacksNote = 'toldFallbacks';
const ToldFallbacks = object(fallbacksNote, shape({ session: AnyString, messages: list(AnyString) }));

export interface ErrorReportsDeps extends CallDeps, NotesDeps, Pick<Tools, 'page' | 'now'> {
  /** User and session of this moment; undefined before the first visit. */
  readonly context: () => Pick<PageContext, 'user_id' | 'session_id'> | undefined;
  /**
   * Messages that were sent or are about to be. The set outlives the stream, so that a message is not sent again after
   * consent was withdrawn and given.
   */
  readonly said: Set<string>;
  /** Emits when the page is hidden or unloads. */
  readonly flush$: Observable<unknown>;
}

/**
 * Sends error reports to the provider, where the setting `sendClientErrors` allows it: each message once a page, in
 * requests of one report, one request at a time. Where the page is left or hidden, reports that wait are sent at
 * once, by requests that outlive the page. What fails here is not reported, because its report would fail in the same
 * way, and it is not sent again (spec C§6, C§8). Emits nothing.
 */
export const errorReports = (reported$: Observable<Reported>, deps: ErrorReportsDeps): Observable<never> => {
  const { said, setting, page, now, context, flush$ } = deps;
  // All ways of sending take from these lists, so each report is sent once.
  const [pending, due]: [ErrorReport[], ErrorReport[]] = [[], []];
  /** Sends the reports that are due, one after the other. What has not had its turn may be sent in another way. */
  const sendDue = (): Observable<unknown> =>
    defer(() => {
      const report = due.shift();
      return report ? concat(send(report, deps), sendDue()) : EMPTY;
    });
  const leave = (): Observable<unknown> =>
    merge(...[...due.splice(0), ...pending.splice(0)].map((report) => send(report, deps, { keepalive: true })));
  return reported$.pipe(
    filter(() => said.size < maxPerPage && setting('sendClientErrors')),
    // Making a report reads the page and may throw; such a report is dropped.
    mergeMap((reported) =>
      defer(() => (isNews(reported, deps) ? of(errorReport(reported, page, now(), context()?.user_id)) : EMPTY)).pipe(
        catchError(() => EMPTY),
      ),
    ),
    filter(({ error_message }) => !said.has(error_message)),
    tap(({ error_message }) => said.add(error_message)),
    tap((report) => void pending.push(report)),
    connect((report$) =>
      merge(
        report$.pipe(
          debounceTime(errorsQuietMs),
          tap(() => void due.push(...pending.splice(0))),
          concatMap(sendDue),
        ),
        // Subscribed at the first report and therefore later than the delivery of events, which are sent first.
        report$.pipe(
          take(1),
          mergeMap(() => flush$),
          mergeMap(leave),
        ),
        // A hidden page may be gone before there is quiet.
        report$.pipe(
          filter(() => page.hidden()),
          mergeMap(leave),
        ),
      ),
    ),
    ignoreElements(),
  );
};

/** Whether a report says something new. A fallback does so once a session, and is noted as told. */
const isNews = ({ message }: Reported, deps: ErrorReportsDeps): boolean => {
  const session = deps.context()?.session_id;
  if (!fallbacks.includes(message) || session === undefined) return true;
  const told = readOr(ToldFallbacks, readNote(fallbacksNote, deps), undefined, () => undefined);
  const messages = told?.session === session ? told.messages : [];
  if (messages.includes(message)) return false;
  writeNote(fallbacksNote, { session, messages: [...messages, message] }, deps);
  return true;
};

/** Sends one report, and completes whether the server took it or not. Without a network nothing is tried. */
const send = (report: ErrorReport, deps: ErrorReportsDeps, options?: CallOptions): Observable<unknown> =>
  defer(() => (deps.page.online() ? call(reportErrors, { body: [report] }, deps, options) : EMPTY)).pipe(
    catchError(() => EMPTY),
  );
