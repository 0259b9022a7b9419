import { defaultIfEmpty, filter, map, mergeAll, type Observable, of } from 'rxjs';

import type { ServiceStreams } from '../cohorts/service';
import type { EventDraft } from '../model/event';
import type { ServiceOutput } from '../model/serviceOutput';
import type { World } from '../world';

/** Runs the cohort services during a visit, once the deferred chunk has loaded. */
export const runServices = (streams: ServiceStreams, world: World): Observable<ServiceOutput> =>
  world.deferredParts$.pipe(
    map(({ cohortServices, definition }) =>
      cohortServices(streams, { ...world, project: { ...world.project, ...definition } }),
    ),
    // Where the chunk cannot be loaded, nothing starts.
    defaultIfEmpty(of<ServiceOutput>({ type: 'started', startup: null })),
    mergeAll(),
  );

/** The events that services want tracked. */
export const serviceDrafts = (service$: Observable<ServiceOutput>): Observable<EventDraft> =>
  service$.pipe(
    filter((output) => output.type === 'draft'),
    map(({ draft }) => draft),
  );
