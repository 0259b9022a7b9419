import { filter, map, merge, mergeMap, type Observable, share, tap } from 'rxjs';

import { ownEntry, ownFields } from '../hardening/ownFields';
import type { CohortId } from '../model/cohort';
import { type Cohorts, noCohorts, type ProducedCohorts } from '../model/cohorts';
import type { Transition } from '../model/engineCommands';
import type { Produced, ServiceOutput } from '../model/serviceOutput';
import { notAmong } from '../primitives/lists';

/** What the query engine gives. */
export interface Queried {
  /** State: the visitor's cohorts by queries. */
  readonly cohorts$: Observable<Cohorts>;
  /** Memberships gained and lost, one list per evaluation. */
  readonly transitions$: Observable<readonly Transition[]>;
}

/**
 * Holds the cohorts of all producers together (spec S§4). A cohort that two producers give is entered with the first
 * of them and left with the last. `lastPage`: what the services gave on the last page, which stands until they answer.
 * From `adopted$` on the visitor is another user, who has no cohorts but those of the page.
 */
export const holdCohorts = (
  queried: Queried,
  service$: Observable<ServiceOutput>,
  lastPage: ProducedCohorts,
  adopted$: Observable<unknown>,
  now: () => number,
) => {
  let produced = lastPage;
  let byQuery: Cohorts | undefined;
  const reasons: Partial<Record<Produced['producer'], Produced['reasons']>> = {};
  const change$ = service$.pipe(
    filter((output) => output.type === 'produced'),
    mergeMap(({ producer, cohorts, reasons: words }) => {
      reasons[producer] = words;
      // An answer that changes nothing is no work for the readers.
      if (cohorts.join() === (ownFields(produced)[producer] ?? []).join()) return [];
      const before = idsOf(produced);
      produced = { ...produced, [producer]: cohorts };
      return [transitionsBetween(before, idsOf(produced), byQuery?.members ?? [], now())];
    }),
    share(),
  );
  return {
    // The cohorts of queries are a state, so they are there before the first change.
    cohorts$: merge(
      queried.cohorts$.pipe(tap((cohorts) => (byQuery = cohorts))),
      change$,
      adopted$.pipe(
        tap(() => {
          byQuery = undefined;
          // What a service says of the page is true for everybody.
          const { affinity = [], contextual = [] } = ownFields(produced);
          produced = { affinity, contextual };
        }),
      ),
    ).pipe(map(() => withProduced(byQuery ?? noCohorts, produced))),
    transitions$: merge(
      queried.transitions$.pipe(map((transitions) => without(transitions, idsOf(produced)))),
      change$,
    ).pipe(filter((transitions) => transitions.length > 0)),
    /** Why the services say that the visitor is in a cohort or is not; empty where none has considered it. */
    reasons: (id: CohortId): readonly string[] => Object.values(reasons).flatMap((words) => ownEntry(words, id) ?? []),
  };
};

const idsOf = (produced: ProducedCohorts): readonly CohortId[] => [...new Set(Object.values(produced).flat())];

/** The cohorts of queries with those that services have given, each once. */
const withProduced = (cohorts: Cohorts, produced: ProducedCohorts): Cohorts => {
  const given = idsOf(produced);
  if (given.length === 0) return cohorts;
  const { members } = cohorts;
  return { ...cohorts, members: [...new Set([...members, ...given])], queried: members, produced };
};

/** What a change of the given cohorts means for a visitor whom queries have put into `queried`. */
const transitionsBetween = (
  before: readonly CohortId[],
  after: readonly CohortId[],
  queried: readonly CohortId[],
  time: number,
): readonly Transition[] => {
  const changes = [
    ...notAmong(after, before).map((id) => ({ id, entry: true, time })),
    ...notAmong(before, after).map((id) => ({ id, entry: false, time })),
  ];
  return without(changes, queried);
};

/** The transitions but those of these cohorts, which another producer gives the visitor. */
const without = (transitions: readonly Transition[], ids: readonly CohortId[]): readonly Transition[] => {
  const given = new Set(ids);
  return transitions.filter(({ id }) => !given.has(id));
};
