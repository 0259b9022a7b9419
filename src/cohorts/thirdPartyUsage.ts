import { catchError, defer, EMPTY, filter, ignoreElements, map, tap } from 'rxjs';

import { call } from '../endpoints/call';
import { tpdUsage } from '../endpoints/tpdUsage';
import { exhaustLatest } from '../operators/exhaustLatest';
import { isoText } from '../primitives/isoDate';
import { textHash } from '../primitives/textHash';
import { boundedSegments, type ProviderSegments, segmentsText } from './providerSegments';
import { PausedError, unlessPaused } from './requestPause';
import type { CohortService } from './service';
import { readThirdParty, writeThirdParty } from './thirdPartyChunk';
import { whileSharing } from './whileSharing';

/**
 * Tells the server which third-party segments made cohorts true (spec S§7), one report at a time. The last report is
 * kept, so that no page repeats it. A failed one is not kept: the next change, or the next page, reports again.
 */
export const thirdPartyUsage: CohortService = ({ usage$, sharing$, context }, deps) => {
  const report = (segments: ProviderSegments) =>
    defer(() => {
      const { user_id } = context();
      const reported = textHash(`${user_id} ${segmentsText(segments)}`);
      if (readThirdParty(deps).reported === reported) return EMPTY;
      const body = { user_id, time: isoText(deps.now()), tpd_segments: segments };
      return unlessPaused('tpdUsage', call(tpdUsage, { body }, deps), deps).pipe(
        tap(() => writeThirdParty({ reported }, deps)),
        catchError((cause: unknown) => {
          if (cause instanceof PausedError) deps.report('Blocked by backoff');
          else deps.report('Failed to report TPD usage', cause);
          return EMPTY;
        }),
      );
    });
  return whileSharing(sharing$, () => usage$).pipe(
    filter((usage) => usage.length > 0),
    map((usage) => boundedSegments(usage.map(({ provider, id }) => [provider, [id]] as const))),
    exhaustLatest(report),
    ignoreElements(),
  );
};
