import { defaultIfEmpty, delay, filter, map, merge, mergeAll, type Observable, of, startWith } from 'rxjs';

import type { ServiceStreams } from '../cohorts/service';
import type { EventDraft } from '../model/event';
import type { ServiceOutput } from '../model/serviceOutput';
import type { World } from '../world';

/** Runs the cohort services during a visit, once the deferred chunk has loaded. */
export const runServices = (streams: ServiceStreams, world: World): Observable<ServiceOutput> => {
  // delay: another user's engine begins in the task in which the user is adopted.
  const given: ServiceStreams = { ...streams, adopted$: streams.adopted$.pipe(delay(0)) };
  return world.deferredParts$.pipe(
    map(({ cohortServices, definition }) =>
      cohortServices(given, { ...world, project: { ...world.project, ...definition } }),
    ),
    defaultIfEmpty(withoutServices(given, world)),
    mergeAll(),
  );
};

/**
 * In place of the services where their code could not be loaded: nothing has started up, and what queries look up is
 * empty, so that none of them is held for ever. The failed load has been reported.
 */
const withoutServices = (
  { adopted$ }: Pick<ServiceStreams, 'adopted$'>,
  { project }: Pick<World, 'project'>,
): Observable<ServiceOutput> =>
  merge(
    of<ServiceOutput>({ type: 'started', startup: null }),
    adopted$.pipe(
      startWith(null),
      map((): ServiceOutput => ({
        type: 'data',
        patch: Object.fromEntries((project.lookups ?? []).map((name) => [name, {}])),
      })),
    ),
  );

/** The events that services want tracked. */
export const serviceDrafts = (service$: Observable<ServiceOutput>): Observable<EventDraft> =>
  service$.pipe(
    filter((output) => output.type === 'draft'),
    map(({ draft }) => draft),
  );
