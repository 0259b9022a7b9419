import { combineLatest, switchMap } from 'rxjs';

import type { Addon } from '../addon';
import { contextualCodes } from '../adServer/contextualCodes';
import { fromGoogletag } from './fromGoogletag';
import { keepPageTargeting } from './pageTargeting';

/**
 * Google Ad Manager: sets codes that describe the page, whoever reads it, as the page-level key `prmtvctx` (spec S§7).
 * The key stays when consent goes, because it says nothing of the visitor.
 */
export const dfpContextual: Addon<unknown> = {
  name: 'dfp_contextual',
  autoInit: true,
  options: (input) => input,
  run: (streams, options$, deps) =>
    options$.pipe(
      // switchMap: another start replaces the one before.
      switchMap(() => combineLatest([streams.contextual$, fromGoogletag(streams, deps)])),
      switchMap(([contextual, googletag]) =>
        keepPageTargeting(googletag, { prmtvctx: contextualCodes(contextual, 'dfp_contextual') ?? null }, deps),
      ),
    ),
};
