import { combineLatest, concatMap, switchMap } from 'rxjs';

import { isolate } from '../../operators/isolate';
import type { Addon } from '../addon';
import { contextualCodes } from '../adServer/contextualCodes';
import { fromGoogletag } from './fromGoogletag';
import { setPageTargeting } from './pageTargeting';

/** Google Ad Manager: what the page is about, whoever reads it, as the key `prmtvctx` (spec S§7). */
export const dfpContextual: Addon<unknown> = {
  name: 'dfp_contextual',
  autoInit: true,
  options: (input) => input,
  run: (streams, options$, deps) =>
    options$.pipe(
      switchMap(() =>
        combineLatest([
          streams.contextual$,
          fromGoogletag(streams).pipe(isolate('Unable to find google tag script', deps.report)),
        ]),
      ),
      concatMap(([contextual, googletag]) =>
        setPageTargeting(googletag, { prmtvctx: contextualCodes(contextual, 'dfp_contextual') }, deps),
      ),
    ),
};
