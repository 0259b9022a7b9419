import { isTransition } from '../../model/cohort';
import type { EngineEvent } from '../engineEvent';
import type { Probe } from '../index/probe';
import type { Id } from '../language/language';
import type { Machine } from './machine';
import { bottomCells, isBottom, type Query } from './query';
import type { Turn } from './turn';

/**
 * Rebuilds the own cells of queries from past events, one event a step. Evaluates nothing: the caller does so once at
 * the end, so that only final results become transitions. The events may come in any order.
 */
export function* rebuild(
  feed: Machine['feed'],
  machine: Machine,
  turn: Turn,
  queries: ReadonlySet<Query>,
  events: readonly EngineEvent[],
): Generator<void, void> {
  // Cells are emptied, so what is known of full ones is wrong.
  machine.forgetFull();
  for (const query of queries) {
    // Nothing to empty, and nothing to report as changed.
    if (isBottom(query.cells.own)) continue;
    query.cells.own = bottomCells(query.specs);
    turn.touch(query);
  }
  const isRebuilt = ({ query }: Probe): boolean => queries.has(query);
  // A query that names both events has counted the completion itself.
  const takesEngagement = ({ query }: Probe): boolean =>
    queries.has(query) && !query.uses.events.has('PageviewComplete');
  for (const event of [...events].sort((a, b) => a.time - b.time)) {
    // Stored transitions are passed over, as live ones are.
    if (!isTransition(event.name)) feed(event, turn, isRebuilt);
    if (event.name === 'PageviewComplete') feed(engagementOf(event), turn, takesEngagement);
    yield;
  }
}

/**
 * The engagement of a whole view, made of its completion. Engagement events are too many to be kept for a replay. Sums
 * over time come out the same; counts of engagement events do not.
 */
const engagementOf = (completion: EngineEvent): EngineEvent => {
  const { total_engaged_time, total_completion } = completion.properties;
  return {
    ...completion,
    name: 'PageviewEngagement',
    properties: { ...completion.properties, engaged_time: total_engaged_time, completion: total_completion },
  };
};

/**
 * The queries and all that depend on them or on `dormant` ones, directly or not: through cohorts, and through models
 * that score cohorts.
 */
export const withDependents = (
  { memberships, scores, catalogue }: Machine,
  queries: Iterable<Query>,
  dormant: Iterable<Id>,
): Set<Query> => {
  const all = new Set(queries);
  const addDependents = (id: Id): void => {
    for (const dependent of memberships.of(id).dependents) all.add(dependent);
    for (const model of scores.modelsOf(id)) for (const user of catalogue.usersOfModel(model)) all.add(user);
  };
  for (const id of dormant) addDependents(id);
  // A set also visits what is added during the loop.
  for (const { id } of all) addDependents(id);
  return all;
};
