import { EMPTY, type Observable, switchMap } from 'rxjs';

/** Runs what hands the visitor's data to others only while the visitor does not object to sharing. */
export const whileSharing = <A>(sharing$: Observable<boolean>, run: () => Observable<A>): Observable<A> =>
  sharing$.pipe(switchMap((mayShare) => (mayShare ? run() : EMPTY)));
