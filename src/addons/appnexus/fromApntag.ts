import { map, type Observable } from 'rxjs';

import { isolate } from '../../operators/isolate';
import type { AddonDeps, AddonStreams } from '../addon';
import type { Apntag, ApntagOnPage } from './apntag';

/**
 * Emits the AppNexus seller tag once it has loaded, with the events that the page's snippet has collected in
 * `__permutive.appnexusEvents`. Like Google's tag, it is reported missing after 200 times 10 ms (spec S§9), and used
 * however late it appears.
 */
export const fromApntag = (
  { fromTag }: Pick<AddonStreams, 'fromTag'>,
  { global, report }: Pick<AddonDeps, 'global' | 'report'>,
): Observable<ApntagOnPage> => {
  const message = 'Unable to find appnexus tag script';
  return fromTag<Apntag>(
    () => ['apntag'],
    'anq',
    2000,
    (cause) => report(message, cause),
  ).pipe(
    map((tag) => {
      const { appnexusEvents } = (global('__permutive') ?? {}) as { readonly appnexusEvents?: ApntagOnPage['seen'] };
      return { tag, seen: Array.isArray(appnexusEvents) ? appnexusEvents : [] };
    }),
    isolate(message, report),
  );
};
