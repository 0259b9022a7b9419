import { fromEventPattern, type Observable } from 'rxjs';

import { onceForTag } from '../adServer/onceForTag';
import type { Apntag, AppNexusAd } from './apntag';

/**
 * The seller tag's events of one type. Listeners cannot be removed, so each tag is given one for each type. Errors as
 * `onEvent` does.
 */
export const adEvents = (tag: Apntag, type: string): Observable<AppNexusAd> =>
  onceForTag(
    tag,
    type,
    fromEventPattern<AppNexusAd>((listener) => tag.onEvent?.(type, listener)),
  );
