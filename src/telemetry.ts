import { catchError, defer, EMPTY, filter, ignoreElements, merge, mergeMap, type Observable, switchMap, take, tap } from 'rxjs';
import type { CallDeps } from './endpoints/call';
import type { Report } from './model/report';
import type { PageContext, Signal } from './model/signal';
import { isolate } from './operators/isolate';
import type { Platform } from './platform/platform';
import { fromPageLeave } from './streams/fromPageLeave';
import { held } from './streams/held';
import { isSampled } from './streams/sampling';
import type { SelfReports } from './streams/selfReports';

/** Chunks that most visitors never need. */
export interface TelemetryChunks {
  readonly loadErrorReports: () => Promise<Pick<typeof import('./sinks/errorReports'), 'errorReports'>>;
  readonly loadVitals: () => Promise<Pick<typeof import('./pageMetrics'), 'pageMetrics'>>;
}

export interface TelemetryDeps extends TelemetryChunks, Platform, CallDeps {
  readonly report: Report;
}

/** What the SDK says of itself to the provider, for as long as there is consent: errors, and metrics of a sample (spec C§4, C§6). */
export const telemetry = (signal$: Observable<Signal>, { reported, measured$ }: SelfReports, deps: TelemetryDeps): Observable<never> =>
  defer(() => {
    const { report, setting } = deps;
    const said = new Set<string>();
    let hasFailed = false;
    let context: (() => PageContext) | undefined;
    const visit$ = signal$.pipe(
      filter((signal) => signal.type === 'visit'),
      tap((visit) => ({ context } = visit)),
    );

    const errors = (): Observable<never> =>
      reported().pipe(
        filter(() => setting('sendClientErrors')),
        held((reported$) =>
          reported$.pipe(
            take(1),
            mergeMap(deps.loadErrorReports),
            mergeMap(({ errorReports }) => errorReports(reported$, { ...deps, said, userId: () => context?.().user_id })),
          ),
        ),
        // Nobody is told: a report about reports would be the next to fail.
        catchError(() => EMPTY),
      );

    const flush$ = fromPageLeave(deps.listen, deps.page).pipe(filter(({ step }) => step === 'flush'));
    const metrics$ = visit$.pipe(
      // switchMap: a reset begins another visitor, who is sampled anew.
      switchMap((visit) =>
        hasFailed || !isSampled(deps)
          ? EMPTY
          : merge(signal$, measured$).pipe(
              held((heard$) =>
                heard$.pipe(
                  filter((heard) => heard.type === 'stage' && heard.stage === 'realtime'),
                  take(1),
                  mergeMap(() => deps.loadVitals()),
                  isolate('Failed to load web vitals', report),
                  mergeMap(({ pageMetrics }) => pageMetrics(heard$, visit.context, { ...deps, flush$ })),
                ),
              ),
              catchError(() => {
                hasFailed = true;
                return EMPTY;
              }),
            ),
      ),
    );

    return signal$.pipe(
      filter((signal) => signal.type === 'consent'),
      // switchMap: consent that goes takes with it what waits. What was reported without consent is taken too, and dropped.
      switchMap(({ given }) => (given ? merge(errors(), metrics$) : (reported(), EMPTY))),
      ignoreElements(),
    );
  });
