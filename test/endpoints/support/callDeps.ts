import { firstValueFrom, type Observable } from 'rxjs';

import type { CallDeps } from '../../../src/endpoints/call';
import { json } from '../../../src/hardening/plainJson';
import { settingsFrom } from '../../../src/model/config';
import { fetchHttp } from '../../../src/platform/http';

/** What `call` needs, with the browser's own http and a page's config. */
export const callDeps = (config: Readonly<Record<string, unknown>> = {}): CallDeps => ({
  // Looked up at each request: nock replaces it between tests.
  http: fetchHttp({ fetch: (input, init) => fetch(input, init) }),
  json,
  setting: settingsFrom({
    page: () => config,
    overrides: {},
    project: { apiKey: 'key' },
    report: (_, cause) => {
      throw cause;
    },
  }),
});

// eslint-disable-next-line rxjs-x/no-ignored-default-value -- a call that ends without an answer fails its test
export const valueOf = <T>(answer$: Observable<T>): Promise<T> => firstValueFrom(answer$);
