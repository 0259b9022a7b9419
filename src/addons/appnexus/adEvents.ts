import { fromEventPattern, type Observable, share } from 'rxjs';

import type { Apntag, AppNexusAd } from './apntag';

/** Each tag's events, by their type. */
const heard = new WeakMap<Apntag, Map<string, Observable<AppNexusAd>>>();

/**
 * The seller tag's events of one type. Listeners cannot be removed, so each tag is given one for each type, for the
 * life of the page, however often addons start. Errors as `onEvent` does.
 */
export const adEvents = (tag: Apntag, type: string): Observable<AppNexusAd> => {
  const streams = heard.get(tag) ?? new Map<string, Observable<AppNexusAd>>();
  heard.set(tag, streams);
  const event$ =
    streams.get(type) ??
    fromEventPattern<AppNexusAd>((listener) => tag.onEvent?.(type, listener)).pipe(
      share({ resetOnRefCountZero: false }),
    );
  streams.set(type, event$);
  return event$;
};
