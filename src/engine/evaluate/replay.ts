import { isTransition } from '../../model/cohort';
import type { EngineEvent } from '../engineEvent';
import type { Probe } from '../index/probe';
import type { Machine, Turn } from './machine';
import { bottomCells, isBottom, type Query } from './query';

/** Rebuilds the cells of queries from past events, one event a step. Evaluates nothing. */
export function* rebuild(
  machine: Machine,
  turn: Turn,
  queries: ReadonlySet<Query>,
  events: readonly EngineEvent[],
): Generator<void, void> {
  machine.forgetFull();
  for (const query of queries) {
    if (isBottom(query.cells.own)) continue;
    query.cells.own = bottomCells(query.specs);
    turn.touch(query);
  }
  const isRebuilt = ({ query }: Probe): boolean => queries.has(query);
  // A query that names both events has the completion itself.
  const takesEngagement = ({ query }: Probe): boolean =>
    queries.has(query) && !query.uses.events.has('PageviewComplete');
  for (const event of [...events].sort((a, b) => a.time - b.time)) {
    if (!isTransition(event.name)) machine.feed(event, turn, isRebuilt);
    if (event.name === 'PageviewComplete') machine.feed(engagementOf(event), turn, takesEngagement);
    yield;
  }
}

/** Engagement events are not kept; the completion of a view stands for all of its engagement. */
const engagementOf = (completion: EngineEvent): EngineEvent => {
  const { total_engaged_time, total_completion } = completion.properties;
  return {
    ...completion,
    name: 'PageviewEngagement',
    properties: { ...completion.properties, engaged_time: total_engaged_time, completion: total_completion },
  };
};

/** The queries and all that depend on them, through cohorts and models. */
export const withDependents = ({ memberships, scores, catalogue }: Machine, queries: Iterable<Query>): Set<Query> => {
  const all = new Set(queries);
  for (const { id } of all) {
    for (const dependent of memberships.of(id).dependents) all.add(dependent);
    for (const model of scores.modelsOf(id)) for (const user of catalogue.usersOfModel(model)) all.add(user);
  }
  return all;
};
