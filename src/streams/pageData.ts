import type { Observable } from 'rxjs';
import { call, type CallDeps } from '../endpoints/call';
import { geoip } from '../endpoints/geoip';
import { watson } from '../endpoints/watson';
import type { PageData } from './placeholders';

/** What the server knows of the visitor's place, and of the page. */
export const pageData = {
  geoip: (include: readonly string[], deps: CallDeps): Observable<PageData['geoip']> => call(geoip, { query: include.map((part) => ['include', part] as const) }, deps),
  watson: (url: string, deps: CallDeps): Observable<PageData['watson']> => call(watson, { body: { url, classify: true } }, deps),
};
