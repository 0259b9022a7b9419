import { fromEventPattern, type Observable } from 'rxjs';

import { isolate } from '../../operators/isolate';
import type { AddonDeps, AddonStreams } from '../addon';
import type { Prebid, PrebidBid, PrebidEventType } from './pbjs';

/**
 * Emits Prebid once it has loaded, under its usual name `pbjs` or one that a build of it has announced in
 * `_pbjsGlobals`. That it is missing after 100 times 50 ms (spec C§9), or `waitMs`, is reported as `message`, as is
 * what it throws; it is used however late it appears.
 */
export const fromPrebid = (
  { fromTag }: Pick<AddonStreams, 'fromTag'>,
  { global, report }: Pick<AddonDeps, 'global' | 'report'>,
  message: string,
  waitMs = 5000,
): Observable<Prebid> => {
  const names = (): readonly string[] => {
    const announced = global('_pbjsGlobals');
    return ['pbjs', ...(Array.isArray(announced) ? announced.filter((name) => typeof name === 'string') : [])];
  };
  return fromTag<Prebid>(names, 'que', waitMs, (cause) => report(message, cause)).pipe(isolate(message, report));
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
