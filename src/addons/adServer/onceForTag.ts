import { Observable, share } from 'rxjs';

/** Each tag's streams, by their name. */
const streamsOfTags = new WeakMap<object, Map<string, Observable<never>>>();

/** Shares one subscription of the stream for each tag, for the life of the page, however often addons start. */
export const onceForTag = <A>(tag: object, name: string, source$: Observable<A>): Observable<A> => {
  const streams = streamsOfTags.get(tag) ?? new Map<string, Observable<A>>();
  streamsOfTags.set(tag, streams as Map<string, Observable<never>>);
  const shared$ = streams.get(name) ?? source$.pipe(share({ resetOnRefCountZero: false }));
  streams.set(name, shared$);
  return shared$;
};

/**
 * Emits what the page has given a method of an ad tag, once the method has returned, for what the tag has no event for.
 * The method is wrapped once for the life of the page, because other scripts may wrap it too. The page gets what the
 * method answers or throws. Never emits where there is no such method. Errors where it cannot be replaced.
 */
export const callsOf = <Tag extends object>(tag: Tag, method: keyof Tag & string): Observable<readonly unknown[]> =>
  onceForTag(
    tag,
    method,
    new Observable((subscriber) => {
      const methods = tag as Record<string, unknown>;
      const original = methods[method];
      if (typeof original !== 'function') return;
      methods[method] = function (this: unknown, ...given: readonly unknown[]): unknown {
        const answer: unknown = original.apply(this, given);
        subscriber.next(given);
        return answer;
      };
    }),
  );
