import { call } from '../endpoints/call';
import { segmentSync } from '../endpoints/segmentSync';
import { codesFor } from '../model/cohorts';
import { sendChanges } from './sendChanges';
import type { CohortService } from './service';
import { whileSharing } from './whileSharing';

/** Segment sync: tells its server the visitor's codes of the platform `segment_sync` (spec C§7). */
export const segmentSyncing: CohortService = (streams, deps) =>
  whileSharing(streams.sharing$, () =>
    sendChanges(
      {
        noteName: 'segmentSync',
        codesOf: (cohorts) => codesFor('segment_sync', cohorts, deps.project),
        send: (segments) => call(segmentSync, { params: { key: deps.setting('apiKey') }, body: { segments } }, deps),
        failure: 'Failed to sync segments',
      },
      streams,
      deps,
    ),
  );
