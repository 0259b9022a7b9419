import { from, mergeMap, type Observable, throwError } from 'rxjs';

import type { BundleFile } from './bundleFiles';
import { privateFetch } from './http';

/**
 * Reads a JSON file that lies beside the scripts of the bundle, by the name of a script. It is data and never run, so
 * its content is not pinned. It is no request of the SDK's own, and so it is not measured. Cold: emits the text once;
 * errors where the file is not there.
 */
export const bundleData = ({ url }: BundleFile): Observable<string> =>
  from(privateFetch(fetch, url.replace(/\.js$/, '.json'))).pipe(
    mergeMap((response) => (response.ok ? response.text() : throwError(() => new Error(`Status ${response.status}`)))),
  );
