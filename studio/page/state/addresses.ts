import { distinctUntilChanged, type Observable, throttleTime } from 'rxjs';

/** How far apart two changes of the page’s address are at least. Safari refuses the 101st within ten seconds. */
const paceMs = 150;

/** Of the addresses that follow what a person types or drags, those that the browser is given: the last one always. */
export const addressesInTime = (addresses$: Observable<string>): Observable<string> =>
  addresses$.pipe(distinctUntilChanged(), throttleTime(paceMs, undefined, { leading: true, trailing: true }));
