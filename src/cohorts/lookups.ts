import { catchError, defer, filter, map, type Observable, startWith } from 'rxjs';

import type { Data, DataName } from '../model/engineCommands';
import type { ServiceOutput } from '../model/serviceOutput';
import type { CohortService, ServiceStreams } from './service';

/** Data that queries look up, as an output. */
export const dataOutput = (patch: Data): ServiceOutput => ({ type: 'data', patch });

/** State: emits for each engine of the visit. Whatever queries look up has to be given to each of them. */
export const engines = ({ adopted$ }: Pick<ServiceStreams, 'adopted$'>): Observable<unknown> =>
  adopted$.pipe(startWith(null));

/**
 * A service that provides what queries look up under a name. The data of the service is passed on where the project has
 * such queries. Where it throws, the data is empty, because the queries would otherwise be held for ever.
 */
export const providing =
  (name: DataName, service: CohortService): CohortService =>
  (streams, deps) =>
    defer(() => service(streams, deps)).pipe(
      catchError((cause: unknown) => {
        deps.report(`Service ${name} stopped`, cause);
        return engines(streams).pipe(map(() => dataOutput({ [name]: {} })));
      }),
      filter(({ type }) => type !== 'data' || deps.project.lookups?.includes(name) === true),
    );
