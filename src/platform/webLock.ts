import { Observable } from 'rxjs';

/**
 * Does the work while no other tab of the origin does work of that name. Where the browser has no Web Locks (a page
 * without https), at once: tabs may then cross, as they always could.
 */
export const exclusively = <A>(name: string, work$: Observable<A>): Observable<A> => {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- absent outside secure contexts
  if (navigator.locks === undefined) return work$;
  return new Observable<A>((subscriber) => {
    const abort = new AbortController();
    navigator.locks
      .request(
        name,
        { signal: abort.signal },
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
