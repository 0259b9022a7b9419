import { defer, finalize, type Observable, Subject } from 'rxjs';

/**
 * Makes a stream whose parts end together: `stop$` emits when the stream is unsubscribed, completes or errors. States
 * that are shared until `stop$` then let go of their sources.
 *
 *     scoped((stop$) => source$.pipe(shareState(stop$)))
 */
export const scoped = <A>(make: (stop$: Observable<void>) => Observable<A>): Observable<A> =>
  defer(() => {
    // eslint-disable-next-line no-restricted-syntax -- nobody but the end of this stream can push into it
    const stop$ = new Subject<void>();
    return make(stop$).pipe(finalize(() => stop$.next()));
  });
