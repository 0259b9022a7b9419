import { map, type Observable } from 'rxjs';

import type { AddonDeps, AddonStreams } from '../addon';
import type { Apntag, ApntagOnPage } from './apntag';

/** The AppNexus seller tag, waited for like Google's (spec S§9), and what the page's snippet has seen of it. */
export const fromApntag = (
  { fromTag }: Pick<AddonStreams, 'fromTag'>,
  { global }: Pick<AddonDeps, 'global'>,
): Observable<ApntagOnPage> =>
  fromTag<Apntag>(() => ['apntag'], 'anq', { everyMs: 10, times: 200 }).pipe(
    map((tag) => {
      const { appnexusEvents } = (global('__permutive') ?? {}) as { readonly appnexusEvents?: ApntagOnPage['seen'] };
      return { tag, seen: Array.isArray(appnexusEvents) ? appnexusEvents : [] };
    }),
  );
