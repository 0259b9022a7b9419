import { Observable } from 'rxjs';

import { ownFields } from '../model/ownFields';

/**
 * Runs the work while no other tab of the origin runs work of that name; it waits for its turn. Unsubscribing gives up
 * the turn, or the lock. Without Web Locks, as on a page without https, the work runs at once, so two tabs may do it at
 * the same time.
 */
export const exclusively = <A>(name: string, work$: Observable<A>): Observable<A> => {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- absent outside secure contexts
  if (navigator.locks === undefined) return work$;
  return new Observable<A>((subscriber) => {
    const abort = new AbortController();
    navigator.locks
      .request(
        name,
        ownFields({ signal: abort.signal }),
        () =>
          new Promise<void>((release) => {
            const working = work$.subscribe(subscriber);
            working.add(release);
          }),
      )
      .catch((error: unknown) => subscriber.error(error));
    return () => abort.abort();
  });
};
