import { map, type Observable } from 'rxjs';
import type { Apntag, ApntagOnPage } from '../model/apntag';
import type { Page } from '../platform/platform';
import { fromTagQueue } from './fromTagQueue';

/** The AppNexus seller tag, waited for like Google's (spec S§9), and what the page's snippet has seen of it. */
export const fromApntag = (page: Pick<Page, 'global'>): Observable<ApntagOnPage> =>
  fromTagQueue<Apntag>(page, () => ['apntag'], 'anq', { everyMs: 10, times: 200 }).pipe(
    map((tag) => {
      const { appnexusEvents } = (page.global('__permutive') ?? {}) as { readonly appnexusEvents?: ApntagOnPage['seen'] };
      return { tag, seen: Array.isArray(appnexusEvents) ? appnexusEvents : [] };
    }),
  );
