import { map, type Observable } from 'rxjs';

import type { AddonDeps, AddonStreams } from '../addon';
import type { Apntag, ApntagOnPage } from './apntag';

/**
 * Emits the AppNexus seller tag once it has loaded, with the events that the page's snippet has collected in
 * `__permutive.appnexusEvents`. Like Google's tag, it is looked for 200 times, 10 ms apart (spec S§9); then the stream
 * errors with `PollError`.
 */
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
