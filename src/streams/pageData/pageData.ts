import { defer, type Observable, of, tap } from 'rxjs';

import { DecodeError } from '../../codecs/codecs';
import { call, type CallDeps } from '../../endpoints/call';
import { geoip } from '../../endpoints/geoip';
import { watson } from '../../endpoints/watson';
import { keepClassification, keepPlace } from './keepPageData';
import { type KeptPageDataDeps, readPageData } from './keptPageData';
import type { PageData } from './pageFields';

/** What the requests are made with, and where their answers are kept. */
export interface AskDeps extends CallDeps, KeptPageDataDeps {
  /** The session of this moment, whose later pages get what is kept. */
  readonly sessionId: () => string;
}

/**
 * The requests for the visitor's place and for the classification of the page. The requests are part of the deferred
 * chunk.
 */
export const pageData = {
  /** The place that was kept in the session, else the server's answer. An address is not kept, so it is asked for. */
  geoip: (include: readonly string[], deps: AskDeps): Observable<PageData['geoip']> =>
    defer(() => {
      const kept = geoip.answer(readPageData(deps.sessionId(), deps).geoip);
      if (!(kept instanceof DecodeError) && !include.includes('ip')) return of(kept);
      return call(geoip, { query: include.map((part) => ['include', part] as const) }, deps).pipe(
        tap((answer) => keepPlace(answer, deps.sessionId(), deps)),
      );
    }),
  /** What the page at that address is about. What is kept may be of an older version of the page, so it is asked. */
  watson: (url: string, deps: AskDeps): Observable<PageData['watson']> =>
    call(watson, { body: { url, classify: true } }, deps).pipe(
      tap((answer) => keepClassification(url, answer, deps.sessionId(), deps)),
    ),
};
