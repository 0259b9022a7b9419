import { filter, merge, type Observable } from 'rxjs';
import type { Listen, Page } from '../platform/platform';

/** The visitor's attention goes elsewhere: into a frame, another window or another tab. That is all the browser tells of a click in an ad. */
export const fromFocusLoss = (listen: Listen, { hidden }: Pick<Page, 'hidden'>): Observable<unknown> =>
  merge(listen('window', 'blur'), listen('document', 'visibilitychange').pipe(filter(hidden)));
