import { from, mergeMap, type Observable, throwError } from 'rxjs';

import type { BundleFile } from './bundleFiles';
import { privateFetch } from './http';

/**
 * Reads a JSON file that lies beside the scripts of the bundle, by the name of a script. The file is data and never
 * run, so its content is not pinned. The request is none of the SDK's own calls, so telemetry does not measure it.
 * Cold: emits the text once; errors where the file is not there.
 */
export const bundleData = ({ url }: BundleFile): Observable<string> =>
  from(privateFetch(fetch, url.replace(/\.js$/, '.json'))).pipe(
    mergeMap((response) => (response.ok ? response.text() : throwError(() => new Error(`Status ${response.status}`)))),
  );
