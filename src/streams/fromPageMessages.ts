import { map, type Observable } from 'rxjs';
import type { PageMessage } from '../model/pageMessage';
import type { Listen } from '../platform/platform';

/** What any frame or script has posted to the page. Anybody may: who reads it checks `source`, `origin` and `data`. */
export const fromPageMessages = (listen: Listen): Observable<PageMessage> =>
  listen('window', 'message').pipe(
    map((event) => {
      const { data, origin, source } = event as MessageEvent<unknown>;
      return { data, origin, source };
    }),
  );
