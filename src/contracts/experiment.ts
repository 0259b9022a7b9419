import { filter, map, mergeMap, type Observable } from 'rxjs';

import { isRecord } from '../codecs/codecs';
import { ownFields } from '../hardening/ownFields';
import { type CohortId, type ExperimentGroup, isTransition } from '../model/cohort';
import { type Cohorts, queriedOf } from '../model/cohorts';
import type { Transition } from '../model/engineCommands';
import type { Event, Tracked } from '../model/event';
import type { PageContext } from '../model/pageContext';
import type { ControlGroup } from '../model/project';
import { textHash } from '../primitives/textHash';

/** The streams of a visit that tell of cohorts. */
interface TellingStreams {
  readonly cohorts$: Observable<Cohorts>;
  readonly event$: Observable<Event>;
  readonly transition$?: Observable<Transition>;
  readonly transitionsSinceInit$?: Observable<Transition>;
  readonly latest$?: Observable<Tracked>;
}

/** The experiment of a project: for a part of the visitors, cohorts are found, and nobody is told of them. */
export interface Experiment {
  /**
   * The streams as the page and partners hear them. A visitor of the control group is in no cohort of the experiment
   * there, and enters and leaves none. `cohorts$` has the visitor's group. Engine, uploads and inspector read the
   * streams as they are.
   */
  readonly told: <Streams extends TellingStreams>(
    streams: Streams,
    context: () => Pick<PageContext, 'user_id'>,
  ) => Streams;
  /**
   * The group of a visitor: the same on each page, and in each browser that has the user id. Undefined without an
   * experiment, and for a cohort that the experiment is not about.
   */
  readonly groupOf: (userId: string, cohort?: CohortId) => ExperimentGroup | undefined;
}

/** The experiment of a project that has none: all is told, and no visitor is in a group. */
export const noExperiment: Experiment = { told: (streams) => streams, groupOf: () => undefined };

/** Makes the experiment of a project. A build has the code for it where its definition has a `controlGroup`. */
export const experimentOf = (controlGroup: ControlGroup): Experiment => {
  const { percent, salt, cohorts: tested } = ownFields(controlGroup);
  const isTested = (id: CohortId): boolean => tested?.includes(id) ?? true;
  const groupOfUser = (userId: string): ExperimentGroup =>
    (textHash(`${salt} ${userId}`) / 2 ** 53) * 100 < percent ? 'control' : 'exposed';
  return {
    groupOf: (userId, cohort) => (cohort === undefined || isTested(cohort) ? groupOfUser(userId) : undefined),
    told: (streams, context) => {
      const group = (): ExperimentGroup => groupOfUser(context().user_id);
      const tellable: Tellable = (ids) => (group() === 'control' ? ids.filter((id) => !isTested(id)) : ids);
      const toldTransitions = (transition$: Observable<Transition>): Observable<Transition> =>
        transition$.pipe(filter(({ id }) => tellable([id]).length > 0));
      const { cohorts$, event$, transition$, transitionsSinceInit$, latest$ } = ownFields(streams);
      return {
        ...streams,
        cohorts$: cohorts$.pipe(map(toldCohorts(tellable, group))),
        event$: event$.pipe(mergeMap((event) => toldEvent(event, tellable))),
        ...(transition$ && { transition$: toldTransitions(transition$) }),
        ...(transitionsSinceInit$ && { transitionsSinceInit$: toldTransitions(transitionsSinceInit$) }),
        ...(latest$ && {
          latest$: latest$.pipe(
            mergeMap((tracked) => toldEvent(tracked.event, tellable).map((event) => ({ ...tracked, event }))),
          ),
        }),
      };
    },
  };
};

/** The cohorts among the ids that may be told of the visitor of this moment. */
type Tellable = (ids: readonly CohortId[]) => readonly CohortId[];

const toldCohorts = (tellable: Tellable, group: () => ExperimentGroup) => {
  // Readers tell the answers of engines apart by their lists, so each list of an engine becomes one list.
  const byList = new WeakMap<readonly CohortId[], readonly CohortId[]>();
  return (cohorts: Cohorts): Cohorts => {
    const { members, activations, queried, produced } = ownFields(cohorts);
    const before = queriedOf(cohorts);
    const after = byList.get(before) ?? tellable(before);
    byList.set(before, after);
    return {
      ...cohorts,
      group: group(),
      members: queried ? tellable(members) : after,
      activations: toldLists(activations, tellable),
      ...(queried && { queried: after }),
      ...(produced && { produced: toldLists(produced, tellable) }),
    };
  };
};

const toldLists = <Lists extends Readonly<Record<string, readonly CohortId[]>>>(
  lists: Lists,
  tellable: Tellable,
): Lists => Object.fromEntries(Object.entries(lists).map(([name, ids]) => [name, tellable(ids)])) as Lists;

/**
 * An event as a page hears it; no event for a transition that is not told. A PageviewComplete lists the transitions of
 * its view.
 */
const toldEvent = (event: Event, tellable: Tellable): readonly Event[] => {
  const { name, properties } = event;
  const isTold = (id: unknown): boolean => tellable([String(id)]).length > 0;
  if (isTransition(name)) return isTold(properties['segment_number']) ? [event] : [];
  const { aggregations } = properties;
  if (name !== 'PageviewComplete' || !isRecord(aggregations)) return [event];
  const lists = Object.entries(aggregations).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.filter(isTold) : value,
  ]);
  return [{ ...event, properties: { ...properties, aggregations: Object.fromEntries(lists) } }];
};
