import type { CellMoment } from '../cells/cell';
import { cellOrder } from '../cells/cellOrder';
import type { Id } from '../language/language';
import { Conditions } from './compile';
import type { Machine } from './machine';
import { isActive, type Query } from './query';

/**
 * The maximum number of instants that are looked at. Each costs an evaluation of all conditions that the query depends
 * on.
 */
const maxInstants = 100;

/**
 * The first instant after now, in ms since 1970, at which the result of a query changes if nothing happens until then:
 * no event, no data, and no other session or view. Cohorts that its condition names change by time, too. Infinity where
 * it never does, where a hundred changes below do not decide it, and while the query is not evaluated.
 */
export const changeByTime = (query: Query, machine: TimedMachine): number => {
  const reached = reachedFrom(query, machine.catalogue.queries);
  const { moment } = machine.environment;
  const nextFlip = (now: number): number =>
    Math.min(...[...reached.values()].map((each) => flipOf(each, { ...moment, now })));
  const resultAt = (now: number): boolean => resultIn(query, reached, { ...moment, now }, machine);
  const present = resultAt(moment.now);
  let now = moment.now;
  for (let i = 0; i < maxInstants; i++) {
    now = nextFlip(now);
    if (now === Infinity || resultAt(now) !== present) return now;
  }
  return Infinity;
};

/** Whether a query that holds would not hold in another view, or in another session, as things are now. */
export const endsWith = (scope: 'view' | 'session', query: Query, machine: TimedMachine): boolean => {
  const { moment } = machine.environment;
  const reached = reachedFrom(query, machine.catalogue.queries);
  return !resultIn(query, reached, { ...moment, view: null, ...(scope === 'session' && { session: null }) }, machine);
};

type TimedMachine = Pick<Machine, 'catalogue' | 'environment'>;

/** The result of a query at another moment. The cohorts that its condition names are evaluated for that moment, too. */
const resultIn = (
  query: Query,
  reached: ReadonlyMap<Id, Query>,
  moment: CellMoment,
  { environment }: TimedMachine,
): boolean => {
  const results = new Map<Id, boolean>();
  const memberships = {
    of: (id: Id) => ({
      get member() {
        const named = reached.get(id);
        return named === undefined ? environment.memberships.of(id).member : resultOf(named);
      },
    }),
  };
  const resultOf = (each: Query): boolean => {
    const known = results.get(each.id);
    if (known !== undefined) return known;
    // Stands for the result where cohorts name each other in a circle.
    results.set(each.id, each.result);
    const result = isActive(each) ? holds(each, { ...environment, memberships, moment }) : each.result;
    results.set(each.id, result);
    return result;
  };
  return resultOf(query);
};

/** A query and all those that its condition depends on. */
const reachedFrom = (query: Query, queries: ReadonlyMap<Id, Query>): ReadonlyMap<Id, Query> => {
  const reached = new Map([[query.id, query]]);
  // Entries that are added meanwhile are visited, too.
  for (const { uses } of reached.values())
    for (const id of uses.cohorts) {
      const named = queries.get(id);
      if (named !== undefined) reached.set(id, named);
    }
  return reached;
};

const flipOf = ({ specs, cells }: Query, moment: CellMoment): number =>
  Math.min(...specs.map((spec, i) => spec.kind.flipAt(spec, cells.own[i] ?? [], cells.others[i] ?? [], moment)));

/** The condition of a query in another environment. Where its data is missing, its result stands. */
const holds = (query: Query, environment: ConstructorParameters<typeof Conditions>[1]): boolean => {
  try {
    return new Conditions({ ...query, order: cellOrder(query.meaning) }, environment).condition(query.meaning.q)();
  } catch {
    return query.result;
  }
};
