import { catchError, EMPTY, fromEventPattern, type Observable } from 'rxjs';

import type { AddonDeps, AddonStreams } from '../addon';
import type { Prebid, PrebidBid, PrebidEventType } from './pbjs';

/**
 * Emits Prebid once it has loaded, under its usual name `pbjs` or one that a build of it has announced in
 * `_pbjsGlobals`. `fail` is called with what Prebid throws, and where Prebid is missing after 100 times 50 ms (spec
 * C§9), or `waitMs`. Prebid is used however late it appears.
 */
export const fromPrebid = (
  { fromTag }: Pick<AddonStreams, 'fromTag'>,
  { global }: Pick<AddonDeps, 'global'>,
  fail: (cause: unknown) => void,
  waitMs = 5000,
): Observable<Prebid> => {
  const names = (): readonly string[] => {
    const announced = global('_pbjsGlobals');
    return ['pbjs', ...(Array.isArray(announced) ? announced.filter((name) => typeof name === 'string') : [])];
  };
  return fromTag<Prebid>(names, 'que', waitMs, fail).pipe(
    catchError((cause: unknown) => {
      fail(cause);
      return EMPTY;
    }),
  );
};

/** Prebid's events of one type. */
export const prebidEvents = <Event = { readonly bid?: PrebidBid }>(
  pbjs: Prebid,
  type: PrebidEventType,
): Observable<Event> =>
  fromEventPattern(
    (listener) => pbjs.onEvent?.(type, listener),
    (listener) => pbjs.offEvent?.(type, listener),
  );
