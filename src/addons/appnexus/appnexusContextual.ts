import { map, mergeMap, switchMap } from 'rxjs';

import type { Addon } from '../addon';
import { contextualCodes } from '../adServer/contextualCodes';
import { fromApntag } from './fromApntag';
import { setKeywords } from './keywords';

/**
 * The AppNexus seller tag: sets codes that describe the page, whoever reads it, as the keyword `prmtvctx` of its tags
 * (spec S§7). The keyword stays when consent goes, because it says nothing of the visitor.
 */
export const appnexusContextual: Addon<unknown> = {
  name: 'appnexus_adserver_contextual',
  autoInit: true,
  options: (input) => input,
  run: (streams, options$, deps) =>
    options$.pipe(
      // switchMap: another start replaces the one before.
      switchMap(() => fromApntag(streams, deps)),
      mergeMap((found) =>
        setKeywords(
          found,
          streams.contextual$.pipe(
            map((contextual) => ({ prmtvctx: contextualCodes(contextual, 'appnexus_adserver_contextual') ?? [] })),
          ),
          {},
          deps,
        ),
      ),
    ),
};
