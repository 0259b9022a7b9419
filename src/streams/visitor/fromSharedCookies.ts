import { catchError, filter, merge, type Observable } from 'rxjs';

import { localKeys } from '../../model/storageKeys';
import type { Listen, Page, Tools } from '../../platform/platform';

/** Where a page hears of what may have changed the cookies. */
export interface SharedCookiesDeps extends Pick<Tools, 'setting'> {
  readonly listen: Listen;
  readonly page: Pick<Page, 'hidden'>;
  /** Emits before a request leaves. */
  readonly beforeRequest$: Observable<unknown>;
}

/** Emits when the page is visible again. Hot. */
export const fromPageShown = ({ listen, page }: Pick<SharedCookiesDeps, 'listen' | 'page'>): Observable<unknown> =>
  listen('document', 'visibilitychange').pipe(filter(() => !page.hidden()));

/**
 * Emits when the cookies that all hosts of a site share may have become others: the page is visible again, or the
 * browser tells of a change. A browser that tells of none is asked before each request, because reading a cookie costs
 * a call of another process. Whoever reads such a cookie listens here, so that a refusal and another user are found at
 * the same moments. Hot.
 */
export const fromSharedCookies = (deps: SharedCookiesDeps): Observable<unknown> =>
  merge(
    fromPageShown(deps),
    deps.listen('cookieStore', 'change').pipe(
      filter((event) => changesShared(event as Partial<CookieChangeEvent>, deps)),
      catchError(() => deps.beforeRequest$),
    ),
  );

/**
 * Whether the id or an answer about consent has been written. The codes of cohorts are written far more often. Where a
 * shared cookie is removed, a refusal has been written too, or nothing has to end.
 */
const changesShared = ({ changed }: Partial<CookieChangeEvent>, { setting }: SharedCookiesDeps): boolean =>
  changed?.some(({ name }) => name === localKeys.consent || name === setting('cookieName')) ?? true;
