import { defaultIfEmpty, delay, filter, map, mergeMap, type Observable, of, startWith } from 'rxjs';

import type { CohortService, ServiceStreams } from '../cohorts/service';
import type { EventDraft } from '../model/event';
import type { ServiceOutput } from '../model/serviceOutput';
import type { World } from '../world';

/** The visit's streams for services. Where they do not say whether the visitor shares data, the visitor does. */
type VisitForServices = Omit<ServiceStreams, 'sharing$'> & Partial<Pick<ServiceStreams, 'sharing$'>>;

/** Runs the cohort services during a visit, once the deferred chunk has loaded. */
export const runServices = (streams: VisitForServices, world: World): Observable<ServiceOutput> =>
  world.deferredParts$.pipe(
    map(({ cohortServices }) => cohortServices),
    defaultIfEmpty(withoutServices),
    mergeMap((services) =>
      // delay: another user's engine begins in the task in which the user is adopted.
      services({ sharing$: of(true), ...streams, adopted$: streams.adopted$.pipe(delay(0)) }, world),
    ),
  );

/**
 * In place of the services where their code could not be loaded: what queries look up is empty, so that none of them is
 * held for ever. The failed load has been reported.
 */
const withoutServices: CohortService = ({ adopted$ }, { project }) =>
  adopted$.pipe(
    startWith(null),
    map(() => ({ type: 'data', patch: Object.fromEntries((project.lookups ?? []).map((name) => [name, {}])) })),
  );

/** The events that services want tracked. */
export const serviceDrafts = (service$: Observable<ServiceOutput>): Observable<EventDraft> =>
  service$.pipe(
    filter((output) => output.type === 'draft'),
    map(({ draft }) => draft),
  );
