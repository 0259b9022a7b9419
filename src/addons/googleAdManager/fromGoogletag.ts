import type { Observable } from 'rxjs';

import { isolate } from '../../operators/isolate';
import type { AddonDeps, AddonStreams } from '../addon';
import type { Googletag } from './googletag';

/**
 * Emits Google's tag once it has loaded. The tag may load after the SDK; that there is none after 200 times 10 ms is
 * reported (spec S§9), and a tag that appears later is used all the same.
 */
export const fromGoogletag = (
  { fromTag }: Pick<AddonStreams, 'fromTag'>,
  { report }: Pick<AddonDeps, 'report'>,
): Observable<Googletag> => {
  const message = 'Unable to find google tag script';
  return fromTag<Googletag>(
    () => ['googletag'],
    'cmd',
    2000,
    (cause) => report(message, cause),
  ).pipe(isolate(message, report));
};
