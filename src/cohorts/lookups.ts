import { catchError, defer, map, merge, type Observable, startWith, switchMap } from 'rxjs';

import type { Data, DataName } from '../model/engineCommands';
import type { ServiceOutput } from '../model/serviceOutput';
import type { CohortService, ServiceStreams } from './service';

/** Data that queries look up, as an output. */
export const dataOf = (patch: Data): ServiceOutput => ({ type: 'data', patch });

/** State: emits for each engine of the visit. Whatever queries look up has to be given to each of them. */
export const engines = ({ adopted$ }: Pick<ServiceStreams, 'adopted$'>): Observable<unknown> =>
  adopted$.pipe(startWith(null));

/**
 * A service that provides what queries look up under a name. Where it throws, that is empty, because the queries would
 * otherwise be held for ever.
 */
export const providing =
  (name: DataName, service: CohortService): CohortService =>
  (streams, deps) =>
    defer(() => service(streams, deps)).pipe(
      catchError((cause: unknown) => {
        deps.report(`Service ${name} stopped`, cause);
        return engines(streams).pipe(map(() => dataOf({ [name]: {} })));
      }),
    );

/** The visitor's place and the classification of the page, where queries look them up (spec S§3). */
export const pageLookups: CohortService = (streams, { project: { lookups = [] } }) =>
  engines(streams).pipe(
    switchMap(() =>
      merge(
        ...lookups
          .filter((name) => name === 'geo' || name === 'classification')
          .map((name) => streams.lookup(name, streams.context().client.url)),
      ),
    ),
    map(dataOf),
  );
