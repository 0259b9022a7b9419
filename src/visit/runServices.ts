import { filter, map, mergeMap, type Observable } from 'rxjs';

import type { ServiceStreams } from '../cohorts/service';
import type { EventDraft } from '../model/event';
import type { ServiceOutput } from '../model/serviceOutput';
import type { World } from '../world';

/** Runs the cohort services during a visit, once the deferred chunk has loaded. */
export const runServices = (streams: ServiceStreams, world: World): Observable<ServiceOutput> =>
  world.deferredParts$.pipe(
    mergeMap(({ cohortServices, definition }) =>
      cohortServices(streams, { ...world, project: { ...world.project, ...definition } }),
    ),
  );

/** The events that services want tracked. */
export const serviceDrafts = (service$: Observable<ServiceOutput>): Observable<EventDraft> =>
  service$.pipe(
    filter((output) => output.type === 'draft'),
    map(({ draft }) => draft),
  );
