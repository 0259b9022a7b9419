import { map, merge, mergeMap } from 'rxjs';

import type { CohortId } from '../model/cohort';
import type { Producer } from '../model/cohorts';
import type { Produced } from '../model/serviceOutput';
import type { CohortService } from './service';

/** Whose cohorts a producer finds: the visitor's, or those of everybody who sees the page. */
const aboutVisitor: Readonly<Record<Producer, boolean>> = {
  affinity: false,
  contextual: false,
  advertiser: true,
  cleanRoom: true,
  classificationModels: true,
};

/**
 * What the services gave on the last page stands until they answer on this one. Cohorts of a producer that no service
 * is any more, and all of another user's page, are taken away at once. Where the user changes on this page, the cohorts
 * of the page stay.
 */
export const lastPageCohorts: CohortService = ({ cohorts$, adopted$, isAdopted }) =>
  merge(
    cohorts$.pipe(
      // The first value has what is stored. The names may be any: another version of the SDK may have written them.
      mergeMap(({ produced = {} }, i) =>
        i === 0 ? (Object.entries(produced) as [Producer, readonly CohortId[]][]) : [],
      ),
      map(([producer, cohorts]) => {
        // Another user's last page says what that user has read, also where its cohorts are those of the page.
        const stands = Object.hasOwn(aboutVisitor, producer) && !isAdopted();
        return output(producer, stands ? cohorts : []);
      }),
    ),
    adopted$.pipe(mergeMap(() => visitorProducers.map((producer) => output(producer, [])))),
  );

const visitorProducers = (Object.keys(aboutVisitor) as Producer[]).filter((producer) => aboutVisitor[producer]);

const output = (producer: Producer, cohorts: readonly CohortId[]): Produced => ({
  type: 'produced',
  producer,
  cohorts,
  reasons: Object.fromEntries(
    cohorts.map((id) => [id, 'A service has found it on the last page, and has not answered on this one.']),
  ),
});
