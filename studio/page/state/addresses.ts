import { distinctUntilChanged, type Observable, throttleTime } from 'rxjs';

/** How far apart two changes of the page’s address are at least. Safari refuses the 101st within ten seconds. */
const paceMs = 150;

/** Of what a person types or drags, what the page's address is made of: the last of it always. */
export const addressedInTime = <A>(changes$: Observable<A>): Observable<A> =>
  changes$.pipe(distinctUntilChanged(), throttleTime(paceMs, undefined, { leading: true, trailing: true }));
