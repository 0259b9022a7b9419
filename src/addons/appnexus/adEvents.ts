import { fromEventPattern, Observable, share } from 'rxjs';

import type { Apntag, AppNexusAd } from './apntag';

/** Each tag's streams, by their name. */
const known = new WeakMap<Apntag, Map<string, Observable<never>>>();

/** Shares one subscription of the stream for each seller tag, for the life of the page, however often addons start. */
const oncePerTag = <A>(tag: Apntag, name: string, source$: Observable<A>): Observable<A> => {
  const streams = known.get(tag) ?? new Map<string, Observable<A>>();
  known.set(tag, streams as Map<string, Observable<never>>);
  const shared$ = streams.get(name) ?? source$.pipe(share({ resetOnRefCountZero: false }));
  streams.set(name, shared$);
  return shared$;
};

/**
 * The seller tag's events of one type. Listeners cannot be removed, so each tag is given one for each type. Errors as
 * `onEvent` does.
 */
export const adEvents = (tag: Apntag, type: string): Observable<AppNexusAd> =>
  oncePerTag(
    tag,
    type,
    fromEventPattern<AppNexusAd>((listener) => tag.onEvent?.(type, listener)),
  );

/**
 * Emits each time the page has defined a tag, before the page can ask for an ad for it. The seller tag has no event for
 * this, so its `defineTag` is wrapped. Errors where the function cannot be replaced.
 */
export const definitions = (tag: Apntag): Observable<void> =>
  oncePerTag(
    tag,
    'defineTag',
    new Observable<void>((subscriber) => {
      const { defineTag } = tag;
      if (!defineTag) return;
      tag.defineTag = function (...given) {
        const answer = defineTag.apply(this, given);
        subscriber.next();
        return answer;
      };
    }),
  );
