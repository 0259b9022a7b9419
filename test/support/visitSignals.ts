import { EMPTY, filter, ignoreElements, map, merge, type Observable, of, Subject, Subscription, tap } from 'rxjs';

import type { Observer, VisitStreams } from '../../src/api/observer';
import type { Cohorts } from '../../src/model/cohorts';
import type { Consent } from '../../src/model/consent';
import type { Transition } from '../../src/model/engineCommands';
import type { Event } from '../../src/model/event';
import type { Metric } from '../../src/model/metric';
import type { PageContext, Stage } from '../../src/model/pageContext';
import type { ServiceOutput } from '../../src/model/serviceOutput';
import { perform } from '../../src/operators/creators/perform';

/** What an observer hears, as a test says it or notes it, in one order. */
export type Signal =
  | { readonly type: 'consent'; readonly consent: Consent }
  | { readonly type: 'visit'; readonly context: () => PageContext }
  | { readonly type: 'stage'; readonly stage: Stage }
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'cohorts'; readonly cohorts: Cohorts }
  | { readonly type: 'transition'; readonly transition: Transition }
  | { readonly type: 'delivery'; readonly id: string; readonly error?: string }
  | { readonly type: 'service'; readonly output: ServiceOutput }
  | { readonly type: 'metrics'; readonly metrics: readonly Metric[] };

type Of<Type extends Signal['type']> = Extract<Signal, { type: Type }>;

const only = <Type extends Signal['type']>(signal$: Observable<Signal>, type: Type): Observable<Of<Type>> =>
  signal$.pipe(filter((signal): signal is Of<Type> => signal.type === type));

/** The streams of a visit that tells what is said. */
export const visitOf = (signal$: Observable<Signal>, context: () => PageContext): VisitStreams => ({
  context,
  begun$: of(undefined),
  stage$: only(signal$, 'stage').pipe(map(({ stage }) => stage)),
  pageExit$: EMPTY,
  event$: only(signal$, 'event').pipe(map(({ event }) => event)),
  cohorts$: only(signal$, 'cohorts').pipe(map(({ cohorts }) => cohorts)),
  transition$: only(signal$, 'transition').pipe(map(({ transition }) => transition)),
  service$: only(signal$, 'service').pipe(map(({ output }) => output)),
  delivery$: only(signal$, 'delivery'),
  metrics$: only(signal$, 'metrics').pipe(map(({ metrics }) => metrics)),
});

/** Tells an observer what a test says; a visit begins with the first signal of one, or anew where the test says so. */
export const tellerOf = (
  observer: Observer,
): { readonly say: (...signals: readonly Signal[]) => void; readonly stop: () => void } => {
  const signal$ = new Subject<Signal>();
  let [isRefused, consent, visit] = [false, new Subscription(), undefined as Subscription | undefined];
  const say = (signal: Signal): void => {
    if (signal.type === 'consent') {
      visit?.unsubscribe();
      visit = undefined;
      consent.unsubscribe();
      isRefused = signal.consent !== 'given';
      consent = observer.whileConsent(signal.consent).subscribe();
      return;
    }
    if (isRefused) return;
    if (signal.type === 'visit') visit?.unsubscribe();
    if (signal.type === 'visit' || visit === undefined) {
      observer.isMeasuring?.();
      visit = observer.whileVisit(visitOf(signal$, signal.type === 'visit' ? signal.context : nowhere)).subscribe();
    }
    signal$.next(signal);
  };
  return {
    say: (...signals) => signals.forEach(say),
    stop: () => {
      visit?.unsubscribe();
      consent.unsubscribe();
    },
  };
};

const nowhere = (): never => {
  throw new Error('no visit');
};

/** Notes all that an observer hears. */
export const noting = (note: (signal: Signal) => void): Observer => ({
  whileConsent: (state) => perform(() => note({ type: 'consent', consent: state })),
  whileVisit: (visit) =>
    merge(
      perform(() => note({ type: 'visit', context: visit.context })),
      visit.stage$.pipe(tap((stage) => note({ type: 'stage', stage }))),
      visit.event$.pipe(tap((event) => note({ type: 'event', event }))),
      visit.cohorts$.pipe(tap((cohorts) => note({ type: 'cohorts', cohorts }))),
      visit.transition$.pipe(tap((transition) => note({ type: 'transition', transition }))),
      visit.delivery$.pipe(tap((delivery) => note({ type: 'delivery', ...delivery }))),
      visit.metrics$.pipe(tap((metrics) => note({ type: 'metrics', metrics }))),
    ).pipe(ignoreElements()),
});
