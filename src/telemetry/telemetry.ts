import { catchError, defer, EMPTY, filter, ignoreElements, map, merge, mergeMap, type Observable, take } from 'rxjs';

import type { Observer, VisitStreams } from '../api/observer';
import type { PageContext } from '../model/pageContext';
import { perform } from '../operators/creators/perform';
import { isolate } from '../operators/isolate';
import { replayToLate } from '../operators/replayToLate';
import type { Tools } from '../platform/platform';
import { fromPageExit } from '../streams/dom/fromPageExit';
import type { Heard } from './heard';
import { isSampled } from './sampling';
import type { TelemetryBus } from './telemetryBus';

/** Loads the code of telemetry, in chunks that most visitors never need. */
export interface TelemetryChunks {
  /** Called at the first error that may be sent. */
  readonly loadErrorReports: () => Promise<Pick<typeof import('./errorReports'), 'errorReports'>>;
  /** Called once a sampled visitor's visit is initialised, or as the page is left before that. */
  readonly loadVitals: () => Promise<Pick<typeof import('./pageMetrics'), 'pageMetrics'>>;
}

/**
 * What the specification has logged and not reported (spec S§8). Such an error is about the page or the CDN, and a site
 * has it on every page. No chunk is loaded for such an error.
 */
const loggedOnly: readonly string[] = [
  'Unable to find google tag script',
  'Unable to find appnexus tag script',
  'Failed fetching binary models, reverting to JSON.',
  'Missing element for a click listener',
];

/**
 * Sends error reports and metrics of the SDK to the provider for as long as there is consent; metrics for a sample of
 * the visitors only (spec C§4, C§6). What happens before the chunks have loaded is replayed to them. After a failed
 * request for metrics, this page sends no more of them.
 */
export const telemetry = (
  { reportsSoFar, measured$ }: TelemetryBus,
  tools: Tools,
  { loadErrorReports, loadVitals }: TelemetryChunks,
): Observer => {
  const { report, setting } = tools;
  // These outlive the visits, because the limits hold for the whole page.
  const sentMessages = new Set<string>();
  let hasFailed = false;
  let context: (() => PageContext) | undefined;

  const errors = (): Observable<never> =>
    reportsSoFar().pipe(
      filter(({ message }) => !loggedOnly.includes(message) && setting('sendClientErrors')),
      replayToLate((reported$) =>
        reported$.pipe(
          take(1),
          mergeMap(loadErrorReports),
          mergeMap(({ errorReports }) =>
            errorReports(reported$, {
              ...tools,
              said: sentMessages,
              context: () => context?.(),
              flush$: flushOf(tools),
            }),
          ),
        ),
      ),
      // Not reported: the report would probably fail in the same way.
      catchError(() => EMPTY),
    );

  const metrics = (visit: VisitStreams): Observable<never> =>
    merge(heardIn(visit), measured$).pipe(
      replayToLate((heard$) =>
        merge(heard$.pipe(filter(({ type }) => type === 'stage')), flushOf(tools)).pipe(
          take(1),
          mergeMap(loadVitals),
          isolate('Failed to load web vitals', report),
          mergeMap(({ pageMetrics }) => pageMetrics(heard$, visit.context, { ...tools, flush$: flushOf(tools) })),
        ),
      ),
      catchError(() => {
        hasFailed = true;
        return EMPTY;
      }),
      ignoreElements(),
    );

  let isMeasured = false;

  return {
    // Asked for each visit, because a reset begins a new visitor, who is sampled anew.
    isMeasuring: () => (isMeasured = !hasFailed && isSampled(tools)),
    // Reports that were made before the refusal are dropped.
    whileConsent: (consent) => (consent === 'given' ? errors() : perform(() => void reportsSoFar())),
    whileVisit: (visit) =>
      defer(() => {
        ({ context } = visit);
        return isMeasured ? metrics(visit) : EMPTY;
      }),
  };
};

/** The streams of a visit that count for its metrics, as one. */
const heardIn = ({ stage$, event$, cohorts$, metrics$ }: VisitStreams): Observable<Heard> =>
  merge<Heard[]>(
    stage$.pipe(map((stage) => ({ type: 'stage', stage }))),
    event$.pipe(map((event) => ({ type: 'event', event }))),
    cohorts$.pipe(map((cohorts) => ({ type: 'cohorts', cohorts }))),
    metrics$.pipe(map((metrics) => ({ type: 'metrics', metrics }))),
  );

/** Emits when the page is hidden or unloads, after addons have emitted their final events. */
const flushOf = ({ listen, page }: Tools): Observable<unknown> =>
  fromPageExit(listen, page).pipe(filter(({ step }) => step === 'flush'));
