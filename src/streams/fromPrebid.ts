import type { Observable } from 'rxjs';
import type { Prebid } from '../model/prebid';
import type { Page } from '../platform/platform';
import { fromTagQueue } from './fromTagQueue';

/** Prebid under its usual name, or a name that a build of it has announced: 100 tries of 50 ms (spec C§9). */
export const fromPrebid = (page: Pick<Page, 'global'>): Observable<Prebid> =>
  fromTagQueue(
    page,
    () => {
      const announced = page.global('_pbjsGlobals');
      return ['pbjs', ...(Array.isArray(announced) ? announced.filter((name) => typeof name === 'string') : [])];
    },
    'que',
    { everyMs: 50, times: 100 },
  );
