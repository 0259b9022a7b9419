import type { Observable } from 'rxjs';

import { call, type CallDeps } from '../../endpoints/call';
import { geoip } from '../../endpoints/geoip';
import { watson } from '../../endpoints/watson';
import type { PageData } from './placeholders';

/** The requests for the visitor's place and for the classification of the page. They are part of the deferred chunk. */
export const pageData = {
  geoip: (include: readonly string[], deps: CallDeps): Observable<PageData['geoip']> =>
    call(geoip, { query: include.map((part) => ['include', part] as const) }, deps),
  watson: (url: string, deps: CallDeps): Observable<PageData['watson']> =>
    call(watson, { body: { url, classify: true } }, deps),
};
