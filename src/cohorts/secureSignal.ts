import {
  catchError,
  concat,
  connect,
  defer,
  delayWhen,
  distinctUntilChanged,
  exhaustMap,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  repeat,
  startWith,
  switchMap,
  take,
  tap,
  timer,
  withLatestFrom,
} from 'rxjs';

import { isRecord } from '../codecs/codecs';
import { call } from '../endpoints/call';
import { secureSignal } from '../endpoints/secureSignal';
import { ownFields } from '../hardening/ownFields';
import type { Cohorts } from '../model/cohorts';
import { readNote, writeNote } from '../model/notes';
import type { ServiceOutput } from '../model/serviceOutput';
import { isolate } from '../operators/isolate';
import { dayMs, minuteMs, pauseMs } from '../primitives/duration';
import { onceRealtime } from './realtimeCohorts';
import { requestPause } from './requestPause';
import type { CohortService, ServiceDeps, ServiceStreams } from './service';

/** Under which Google Ad Manager knows the provider of the signal (contract: cohort services). */
const providerId = 'permutive.com';
/** Of a tag that is missing, or that throws. */
const failedToGive = 'Failed to give the secure signal to Google';
/** Note with the last signal, the user whom it is about, and its end in ms since 1970. */
const signalNote = 'secureSignal';
/** A signal that holds shorter than this is asked for again only after it, in ms. */
const shortestMs = minuteMs;
/** Longest wait of one timer, in ms. Browsers fire timers of more than 24 days at once. */
const longestMs = dayMs;

/** Emits when the secure signal is wanted: at once where the project says so, else when the page starts it. */
export const secureSignalStart = ({ project, calls }: Pick<ServiceDeps, 'project' | 'calls'>): Observable<unknown> =>
  (project.startsSecureSignal === true ? of(undefined) : calls.addon('secure_signal')).pipe(take(1));

/**
 * Secure signal: what bidders get of the visitor by Google's tag, in a form that only they can read (spec S§4). The
 * service starts by `permutive.addon('secure_signal')`, and is asked for when the steps before it have ended
 * (`known$`). The signal is kept until it expires, also by later pages, and then asked for again. Without one, because
 * the visitor objects to sharing or the request has failed, it is null.
 */
export const secureSignalService =
  (known$: Observable<unknown>): CohortService =>
  (streams, deps) =>
    secureSignalStart(deps).pipe(
      switchMap(() => streams.sharing$),
      switchMap((mayShare) => (mayShare ? visitorSignals(known$, streams, deps) : of(null))),
      distinctUntilChanged(),
      connect((signal$) =>
        merge(
          provideToGoogle(signal$, deps),
          signal$.pipe(map((signal): ServiceOutput => ({ type: 'secureSignal', signal }))),
        ),
      ),
    );

/** The visitor's signal, and each that follows it; null where a request has failed. */
const visitorSignals = (
  known$: Observable<unknown>,
  { cohorts$, context, adopted$ }: ServiceStreams,
  deps: ServiceDeps,
): Observable<string | null> => {
  const pause = requestPause(signalNote, deps);
  const ask = ({ members }: Cohorts): Observable<string | null> => {
    const user = context().user_id;
    return call(secureSignal, { body: { user_id: user, cohorts: members } }, deps).pipe(
      map(({ signal, expires_in }) => {
        writeNote(signalNote, { user, signal, end: deps.now() + expires_in * 1000 }, deps);
        return signal;
      }),
      catchError((cause: unknown) => {
        deps.report('Failed to fetch secure signal', cause);
        pause.begin();
        return of(null);
      }),
    );
  };
  const asked$ = onceRealtime(cohorts$).pipe(
    delayWhen(() => known$),
    withLatestFrom(cohorts$),
    take(1),
    switchMap(([, cohorts]) => ask(cohorts)),
  );
  const kept$ = defer(() => {
    const stored = storedSignal(context().user_id, deps);
    if (stored !== undefined) return of(stored.signal);
    return pause.isOn() ? of(null) : asked$;
  });
  /** Until the signal that is kept has expired, or the next attempt is due. */
  const expiry = (): Observable<unknown> => {
    const stored = storedSignal(context().user_id, deps);
    const leftMs = stored === undefined ? pauseMs : stored.end - deps.now();
    return timer(Math.min(Math.max(leftMs, shortestMs), longestMs));
  };
  return adopted$.pipe(
    startWith(undefined),
    switchMap(() => kept$.pipe(repeat({ delay: expiry }))),
  );
};

/** The signal that is kept of this user; undefined where it has expired, or where something else is stored. */
const storedSignal = (
  userId: string,
  deps: ServiceDeps,
): { readonly signal: string; readonly end: number } | undefined => {
  const stored = readNote(signalNote, deps);
  const { user, signal, end } = ownFields(isRecord(stored) ? stored : {});
  return user === userId && typeof signal === 'string' && typeof end === 'number' && deps.now() < end
    ? { signal, end }
    : undefined;
};

/** The part of Google's tag that takes signals. The page may define it before the tag has loaded. */
interface SignalTag {
  secureSignalProviders?: { readonly push: (provider: object) => unknown };
}

/**
 * Registers with Google's tag once there is a signal. The tag asks for the signal whenever it needs one; it gets the
 * signal of that moment, and an empty one when there is none any more. Never emits.
 *
 * Google's reference, as `@types/google-publisher-tag` 1.20260921 has it (`BidderSignalProvider`), takes the id that is
 * registered in Google Ad Manager, and a function that promises the signal as text; `push` begins the collection. No
 * page says what an empty signal does. What is shared must be unreadable for Google and wanted by the publisher:
 * https://support.google.com/admanager/answer/10488752. The two pages were read on 2026-11-24.
 */
const provideToGoogle = (
  signal$: Observable<string | null>,
  { appears, page, report }: ServiceDeps,
): Observable<never> =>
  defer(() => {
    const register = (provider: object): Observable<never> =>
      appears(() => googletagOf(page), 2000).pipe(
        tap((googletag) => {
          if (googletag === undefined) report(failedToGive, new Error('Nothing within 2000 ms'));
          else (googletag.secureSignalProviders ??= [] as object[]).push(provider);
        }),
        isolate(failedToGive, report),
        ignoreElements(),
      );
    let current: string | null = null;
    const provider = { id: providerId, collectorFunction: () => Promise.resolve(current ?? '') };
    return signal$.pipe(
      tap((signal) => (current = signal)),
      filter((signal) => signal !== null),
      // exhaustMap: one registration is enough, because the tag asks the provider.
      exhaustMap(() => concat(register(provider), NEVER)),
      finalize(() => (current = null)),
    );
  });

const googletagOf = ({ global }: ServiceDeps['page']): SignalTag | undefined => {
  const googletag = global('googletag');
  return typeof googletag === 'object' && googletag !== null ? googletag : undefined;
};
