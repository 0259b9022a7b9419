import { init } from '../../src/engine/engine';
import type { Bundle, Definition, Id } from '../../src/engine/language/language';
import { isStandard } from '../../src/model/cohort';
import { clauseFaults } from './clauseFaults';
import { countFaults } from './countFaults';
import { doubtful, nearestName, type ProjectFinding, type Said, wrong } from './finding';
import { type Node, nodesOf } from './nodes';
import { predicateFaults } from './predicateFaults';

/**
 * What can hardly be meant in the definitions of cohorts, though the engine evaluates it: nobody can be in such a
 * cohort, everybody is, or a view counts twice.
 */
export const queryFindings = (bundle: Bundle): readonly ProjectFinding[] => {
  const { queries, lift } = bundle;
  const ids = new Set(queries.map(({ id }) => id));
  return [
    ...queries.flatMap((definition) =>
      [...nodesOf(definition)].flatMap(([node, path]) =>
        [
          ...predicateFaults(node),
          ...countFaults(node),
          ...clauseFaults(node),
          ...cohortFaults(node, ids, lift !== undefined),
          ...rebuildDoubts(node),
        ].map((said) => ({ path: `queries/${definition.id}/${path}`, ...said })),
      ),
    ),
    ...queries.flatMap((definition) => eventDoubts(definition)),
    ...twiceNamed(queries),
    ...cycles(queries),
    ...always(bundle),
  ];
};

/** Names of cohorts that no query has. With cloud lift, the definition of a query may be downloaded. */
const cohortFaults = (node: Node, ids: ReadonlySet<Id>, isLifted: boolean): readonly Said[] => {
  const named = ['cohort', 'entered', 'exited'].map((name) => node[name]).find((id) => typeof id === 'string');
  if (named === undefined || ids.has(named)) return [];
  const nearest = nearestName(named, ids);
  const say = isLifted ? doubtful : wrong;
  return [
    say(
      `no query has the id ${named}, so that nobody is in that cohort`,
      nearest === undefined ? 'write the id of a query' : `write ${nearest}`,
    ),
  ];
};

/**
 * Counts that an edit of their cohort sets back to nothing, because the browser keeps no events to count again: entries
 * and exits, and the number of PageviewEngagement events. Sums and views of PageviewEngagement are counted again from
 * PageviewComplete. Counts of a session or view end soon anyway.
 */
const rebuildDoubts = ({ entered, exited, event, sum, distinct, within }: Node): readonly Said[] => {
  const isShort = within === 'session' || within === 'view';
  const events: readonly unknown[] = [event].flat();
  // Both events of a view together have a finding of their own.
  const isEngagement = events.includes('PageviewEngagement') && !events.includes('PageviewComplete');
  const isCounted = isEngagement && sum === undefined && distinct !== '$view_id';
  const counted =
    entered !== undefined
      ? 'entries'
      : exited !== undefined
        ? 'exits'
        : isCounted && !isShort
          ? 'PageviewEngagement'
          : undefined;
  return counted === undefined
    ? []
    : [
        doubtful(
          `counts of ${counted} begin at nothing when the condition of this cohort changes`,
          counted === 'PageviewEngagement'
            ? 'sum engaged_time, or count different $view_id, which are counted again'
            : 'give a changed condition an id of its own, and keep the old cohort until the new one has filled',
        ),
      ];
};

/** A view counts twice where a condition has both of its events. */
const eventDoubts = (definition: Definition): readonly ProjectFinding[] => {
  const events = new Set([...nodesOf(definition)].flatMap(([{ event }]) => [event ?? []].flat()));
  return events.has('PageviewEngagement') && events.has('PageviewComplete')
    ? [
        {
          path: `queries/${definition.id}`,
          ...doubtful(
            'PageviewEngagement and PageviewComplete tell of the same view, which then counts twice',
            'name one of them',
          ),
        },
      ]
    : [];
};

/** Names of two cohorts. A custom cohort and a standard one may share a name: the kind tells them apart. */
const twiceNamed = (queries: readonly Definition[]): readonly ProjectFinding[] => {
  const firsts = new Map<string, Id>();
  return queries.flatMap(({ id, name }) => {
    const key = name === undefined ? undefined : `${isStandard(id) ? 'standard' : 'custom'} ${name}`;
    const first = key === undefined ? undefined : firsts.get(key);
    if (key !== undefined && first === undefined) firsts.set(key, id);
    return first === undefined
      ? []
      : [{ path: `queries/${id}/name`, ...doubtful(`the query ${first} has the same name`, 'give it another one') }];
  });
};

/** Cohorts that depend on themselves: their members change with each other's, up to 100 times an event. */
const cycles = (queries: readonly Definition[]): readonly ProjectFinding[] => {
  const uses = new Map(
    queries.map((definition) => [
      definition.id,
      [...nodesOf(definition)].flatMap(([{ cohort }]) => (typeof cohort === 'string' ? [cohort] : [])),
    ]),
  );
  const reached = (id: Id): ReadonlySet<Id> => {
    const seen = new Set<Id>();
    const waiting = [...(uses.get(id) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(...(uses.get(next) ?? []));
    }
    return seen;
  };
  return [...uses.keys()]
    .filter((id) => (uses.get(id) ?? []).length > 0 && reached(id).has(id))
    .map((id) => ({
      path: `queries/${id}`,
      ...wrong('the cohort depends on itself', 'leave out one of the references, or ask for entered'),
    }));
};

/** Cohorts of a visitor of whom nothing is known. Cohorts that wait for data are not looked at. */
const always = (bundle: Bundle): readonly ProjectFinding[] => {
  const engine = init({
    event_source_id: '',
    now: 0,
    bundle,
    state: null,
    context: { session: null, view: null },
    lookups: {},
    pending: ['geo', 'client', 'user', 'classification', 'thirdParty', 'secondParty', 'lookalike'],
  });
  engine.bootstrap();
  engine.replay([]);
  return engine.members().map((id) => ({
    path: `queries/${id}`,
    ...doubtful(
      'a visitor who has done nothing yet is in this cohort',
      'add something that the visitor must have done',
    ),
  }));
};
