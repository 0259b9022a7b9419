import { debounceTime, distinctUntilChanged, filter, ignoreElements, map, tap } from 'rxjs';

import { call } from '../endpoints/call';
import { segmentSync } from '../endpoints/segmentSync';
import { codesFor } from '../model/cohorts';
import { readNote, writeNote } from '../model/notes';
import { exhaustLatest } from '../operators/exhaustLatest';
import { isolate } from '../operators/isolate';
import type { CohortService } from './service';
import { whileSharing } from './whileSharing';

/** Codes are sent once they have not changed for this long, in ms (contract: cohort services). */
export const syncQuietMs = 5000;
/** Note that has the codes that were sent last, as text. */
const noteName = 'segmentSync';

/**
 * Segment sync: tells its server the visitor's codes of the platform `segment_sync`, whenever they differ from those
 * that were sent last, be it by an earlier page (spec C§7). A failed request is reported; the codes are sent with the
 * next change or by the next page.
 */
export const segmentSyncing: CohortService = ({ cohorts$, sharing$ }, deps) =>
  whileSharing(sharing$, () =>
    cohorts$.pipe(
      filter(({ isRealtime }) => isRealtime),
      map((cohorts) => codesFor('segment_sync', cohorts, deps.project)),
      // A visitor of whom nothing was ever sent and who is in no such cohort needs no request.
      distinctUntilChanged((before, now) => before.join() === now.join()),
      debounceTime(syncQuietMs),
      filter((codes) => codes.join() !== (readNote(noteName, deps) ?? '')),
      exhaustLatest((segments) =>
        call(segmentSync, { params: { key: deps.setting('apiKey') }, body: { segments } }, deps).pipe(
          tap(() => writeNote(noteName, segments.join(), deps)),
          isolate('Failed to sync segments', deps.report),
        ),
      ),
      ignoreElements(),
    ),
  );
