import { catchError, concat, defer, distinctUntilChanged, EMPTY, mergeMap, Observable, of } from 'rxjs';

import { isRecord } from '../../model/codecs';
import type { Settings } from '../../model/config';
import { isOptOut, isUspOptOut } from '../../model/sharing';
import { poll } from '../../operators/creators/poll';
import type { Page } from '../../platform/platform';

type Callback = (data: unknown, success: unknown) => void;
/** The function `__gpp` of a page with a consent platform (IAB GPP, CMP API 1.1). */
type GppApi = (command: string, callback: Callback, parameter?: unknown) => void;
/** The older function `__uspapi` (IAB US Privacy, version 1). */
type UspApi = (command: 'getUSPData', version: 1, callback: Callback) => void;

export interface SharingDeps {
  readonly page: Pick<Page, 'global'>;
  readonly setting: Settings;
}

/**
 * State: whether the visitor's data may be given to others. It may not where the browser sends Global Privacy Control
 * (setting `respectGpc`), and where the visitor has opted out of sale, sharing or targeted advertising by GPP, or by
 * the older US Privacy string. It may at once where the page has no platform; one that comes later is looked for with
 * growing waits for 102 s. Before a platform that is there has an answer, nothing is emitted, or false where it came
 * late. Cold.
 */
export const fromSharing = ({ page, setting }: SharingDeps): Observable<boolean> =>
  defer(() => {
    const navigator = page.global('navigator') as { readonly globalPrivacyControl?: unknown } | undefined;
    if (setting('respectGpc') && navigator?.globalPrivacyControl === true) return of(false);
    return answersOf(page) ?? concat(of(true), lateAnswers(page));
  }).pipe(distinctUntilChanged());

const lateAnswers = (page: SharingDeps['page']): Observable<boolean> =>
  poll(() => answersOf(page), { everyMs: 100, factor: 2, times: 11 }).pipe(
    mergeMap((answer$) => concat(of(false), answer$)),
    catchError(() => EMPTY),
  );

/** The answers of the page's platform; undefined where there is none. GPP, the newer one, is asked where both are. */
const answersOf = (page: SharingDeps['page']): Observable<boolean> | undefined => {
  if (typeof page.global('__gpp') === 'function') return gppAnswers(page);
  return typeof page.global('__uspapi') === 'function' ? uspAnswer(page) : undefined;
};

/** Listens to `__gpp`. An answer counts once its signal is ready. A platform that throws has allowed nothing. */
const gppAnswers = (page: SharingDeps['page']): Observable<boolean> =>
  new Observable((subscriber) => {
    let listenerId: unknown;
    // Looked up at each use, because the stub that queues calls is replaced by the platform itself.
    const ask: GppApi = (...given) => (page.global('__gpp') as GppApi)(...given);
    const guarded = (action: () => void): void => {
      try {
        action();
      } catch {
        subscriber.next(false);
      }
    };
    guarded(() =>
      ask('addEventListener', (event, success) =>
        guarded(() => {
          if (!isRecord(event)) return;
          listenerId = event['listenerId'];
          const ping = event['pingData'];
          if (success === false) subscriber.next(false);
          else if (isRecord(ping) && ping['signalStatus'] === 'ready')
            subscriber.next(!isOptOut(ping['parsedSections']));
        }),
      ),
    );
    return () => {
      if (typeof listenerId === 'number') guarded(() => ask('removeEventListener', () => undefined, listenerId));
    };
  });

/** Asks `__uspapi` once. */
const uspAnswer = (page: SharingDeps['page']): Observable<boolean> =>
  new Observable((subscriber) => {
    try {
      (page.global('__uspapi') as UspApi)('getUSPData', 1, (data) => subscriber.next(!isUspOptOut(data)));
    } catch {
      subscriber.next(false);
    }
  });
