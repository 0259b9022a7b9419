import type { Observable } from 'rxjs';

import type { AddonDeps, AddonStreams } from '../addon';
import type { Prebid } from './pbjs';

/** Prebid under its usual name, or a name that a build of it has announced: 100 tries of 50 ms (spec C§9). */
export const fromPrebid = (
  { fromTag }: Pick<AddonStreams, 'fromTag'>,
  { global }: Pick<AddonDeps, 'global'>,
): Observable<Prebid> => {
  const names = (): readonly string[] => {
    const announced = global('_pbjsGlobals');
    return ['pbjs', ...(Array.isArray(announced) ? announced.filter((name) => typeof name === 'string') : [])];
  };
  return fromTag(names, 'que', { everyMs: 50, times: 100 });
};
