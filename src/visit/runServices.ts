import { defaultIfEmpty, delay, filter, map, merge, mergeAll, type Observable, of, startWith } from 'rxjs';

import { ownFields } from '../hardening/ownFields';
import type { EventDraft } from '../model/event';
import type { ServiceOutput } from '../model/serviceOutput';
import type { Visitor, VisitParts } from './visitParts';
import type { World } from './world';

/** Runs the cohort services during a visit, once the deferred chunk has loaded. */
export const runServices = (parts: VisitParts, world: World, stop$: Observable<unknown>): Observable<ServiceOutput> =>
  world.deferredParts$.pipe(
    map(({ cohortServices, serviceStreams, definition }) =>
      cohortServices(serviceStreams(parts, stop$), {
        ...world,
        project: ownFields({ ...world.project, ...definition }),
      }),
    ),
    defaultIfEmpty(withoutServices(parts.visitor, world)),
    mergeAll(),
  );

/**
 * In place of the services where their code could not be loaded: nothing has started up, and what queries look up is
 * empty, so that none of them is held for ever. The failed load has been reported.
 */
const withoutServices = (
  { adopted$ }: Pick<Visitor, 'adopted$'>,
  { project }: Pick<World, 'project'>,
): Observable<ServiceOutput> =>
  merge(
    of<ServiceOutput>({ type: 'started', startup: null }),
    adopted$.pipe(
      // delay: another user's engine begins in the task in which the user is adopted.
      delay(0),
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
