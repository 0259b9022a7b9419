import { Observable, share } from 'rxjs';

import type { Apntag } from './apntag';

/** By seller tag, a stream of the moments at which the page has defined a tag. */
const heard = new WeakMap<Apntag, Observable<unknown>>();

/**
 * Emits each time the page has defined a tag, before it can ask for an ad for that tag. The seller tag has no event for
 * this, so its `defineTag` is wrapped, once for the life of the page, however often addons start. Where it cannot be
 * wrapped, the stream errors.
 */
export const definitions = (tag: Apntag): Observable<unknown> => {
  const known$ = heard.get(tag);
  if (known$ !== undefined) return known$;
  const defined$ = new Observable<void>((subscriber) => {
    const { defineTag } = tag;
    if (typeof defineTag !== 'function') return;
    tag.defineTag = function (...given) {
      const answer: unknown = Reflect.apply(defineTag, this, given);
      subscriber.next();
      return answer;
    };
  }).pipe(share({ resetOnRefCountZero: false }));
  heard.set(tag, defined$);
  return defined$;
};
