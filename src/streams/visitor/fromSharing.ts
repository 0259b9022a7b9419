import { defer, distinctUntilChanged, mergeMap, Observable, of } from 'rxjs';

import { isRecord } from '../../codecs/codecs';
import type { Page, Tools } from '../../platform/platform';
import { isOptOut, isUspOptOut } from '../../privacy/sharing';
import { heardFrom, platformAnswers } from './consentAnswers';
import { consentApi, type ConsentApiDeps, type ConsentCommand } from './consentApi';

export interface SharingDeps extends ConsentApiDeps, Pick<Tools, 'appears' | 'setting'> {
  readonly page: Pick<Page, 'global' | 'privacyControl'>;
}

/**
 * State: whether the visitor's data may be given to others. Sharing is refused where the browser sends Global Privacy
 * Control (setting `respectGpc`), and where the visitor has opted out of sale, sharing or targeted advertising by GPP,
 * or by the older US Privacy string. Sharing is allowed at once where neither the page nor a window around it has a
 * platform. Before a platform that is there has an answer, nothing is emitted, or false where it came late. Cold.
 */
export const fromSharing = (deps: SharingDeps): Observable<boolean> =>
  defer(() => {
    const { page, setting } = deps;
    if (setting('respectGpc') && page.privacyControl()) return of(false);
    return platformAnswers(
      deps.appears(() => sharingAnswers(deps), 0),
      true,
      false,
    );
  }).pipe(distinctUntilChanged());

/** The answers of the page's platform; undefined where there is none. GPP, the newer one, is asked where both are. */
const sharingAnswers = (deps: ConsentApiDeps): Observable<boolean> | undefined =>
  consentApi('__gpp', deps)?.pipe(mergeMap(gppAnswers)) ?? consentApi('__uspapi', deps)?.pipe(mergeMap(uspAnswer));

/** Listens to `__gpp`. An answer counts once its signal is ready. A platform that throws has allowed nothing. */
const gppAnswers = (ask: ConsentCommand): Observable<boolean> =>
  heardFrom(ask, false, (event, success) => {
    if (!isRecord(event)) return [];
    if (success === false) return [false];
    const ping = event['pingData'];
    return isRecord(ping) && ping['signalStatus'] === 'ready' ? [!isOptOut(ping['parsedSections'])] : [];
  });

/** Asks `__uspapi` once. A platform that fails has allowed nothing. */
const uspAnswer = (ask: ConsentCommand): Observable<boolean> =>
  new Observable((subscriber) => {
    try {
      ask('getUSPData', (data, success) => subscriber.next(success !== false && !isUspOptOut(data)));
    } catch {
      subscriber.next(false);
    }
  });
