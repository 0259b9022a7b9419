import { fromEventPattern, type Observable } from 'rxjs';

import type { AddonDeps, AddonStreams } from '../addon';
import type { Prebid, PrebidBid, PrebidEventType } from './pbjs';

/**
 * Emits Prebid once it has loaded, under its usual name `pbjs` or one that a build of it has announced in
 * `_pbjsGlobals`. Prebid is looked for `times` times, 50 ms apart (spec C§9); then the stream errors with `PollError`.
 */
export const fromPrebid = (
  { fromTag }: Pick<AddonStreams, 'fromTag'>,
  { global }: Pick<AddonDeps, 'global'>,
  times = 100,
): Observable<Prebid> => {
  const names = (): readonly string[] => {
    const announced = global('_pbjsGlobals');
    return ['pbjs', ...(Array.isArray(announced) ? announced.filter((name) => typeof name === 'string') : [])];
  };
  return fromTag(names, 'que', { everyMs: 50, times });
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
