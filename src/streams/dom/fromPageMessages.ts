import { map, type Observable } from 'rxjs';

import type { PageMessage } from '../../model/pageSignal';
import type { Listen } from '../../platform/platform';

/** Messages that any frame or script has posted to the page. Readers must check `source`, `origin` and `data`. */
export const fromPageMessages = (listen: Listen): Observable<PageMessage> =>
  listen('window', 'message').pipe(
    map((event) => {
      const { data, origin, source } = event as MessageEvent<unknown>;
      return { data, origin, source };
    }),
  );
