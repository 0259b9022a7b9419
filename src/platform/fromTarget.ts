import { Observable } from 'rxjs';

import { ownFields } from '../hardening/ownFields';

/** Events of one type, heard before any listener of the page can stop them. Hot; completes never. */
export const fromTarget = (target: EventTarget, type: string): Observable<Event> =>
  new Observable((subscriber) => {
    const listener = (event: Event): void => subscriber.next(event);
    const options = ownFields({ passive: true, capture: true });
    target.addEventListener(type, listener, options);
    return () => target.removeEventListener(type, listener, options);
  });
