import { distance } from 'fastest-levenshtein';

import { init } from '../src/engine/engine';
import type { Bundle, Definition, Id } from '../src/engine/language/language';
import type { ProjectWarning } from './projectWarnings';

/** Expressions and predicates as JSON has them: what is warned of does not depend on where a node stands. */
type Node = Readonly<Record<string, unknown>>;

/** Lists of operands. A test with an empty one holds for nobody; `nin` holds for all who have a value. */
const operandLists = ['in', 'nin', 'contains', 'startsWith', 'endsWith', 'words', 'under', 'urlPath', 'domain'];
/** Operands whose hashes are those of runs, so that the longest run has to be known. */
const runs = ['words', 'urlPath'];

/**
 * What is probably no intention in the definitions of cohorts, though the engine evaluates it: nobody can be in such a
 * cohort, everybody is, or a view counts twice. The build goes on.
 */
export const queryWarnings = (bundle: Bundle): readonly ProjectWarning[] => {
  const { queries } = bundle;
  const ids = new Set(queries.map(({ id }) => id));
  return [
    ...queries.flatMap((definition) =>
      [...nodesOf(definition)].flatMap(([node, path]) =>
        nodeWarnings(node, ids).map((why) => ({ path: `queries/${definition.id}/${path}`, why })),
      ),
    ),
    ...queries.flatMap((definition) => eventWarnings(definition)),
    ...cycles(queries),
    ...always(bundle),
  ];
};

/** Each object in the condition and its subqueries, with its path. */
function* nodesOf({ q, sub = [] }: Definition): Generator<readonly [Node, string]> {
  yield* nodesIn(q, 'q');
  for (const [i, condition] of sub.entries()) yield* nodesIn(condition, `sub/${i}`);
}

function* nodesIn(value: unknown, path: string): Generator<readonly [Node, string]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [value as Node, path];
  for (const [key, child] of Object.entries(value)) yield* nodesIn(child, `${path}/${key}`);
}

const nodeWarnings = (node: Node, ids: ReadonlySet<Id>): readonly string[] => {
  const list = operandLists.find((name) => Array.isArray(node[name]));
  const operands = list === undefined ? undefined : new Set(node[list] as readonly unknown[]).size;
  const { between, min, max, after, before } = node;
  const wanted = typeof min === 'number' ? min : 1;
  const [from, to] = (Array.isArray(between) ? between : [0, 0]) as readonly number[];
  const cohort = ['cohort', 'entered', 'exited'].map((name) => node[name]).find((id) => typeof id === 'string');
  return [
    ...(operands === 0
      ? [`the list is empty: the test ${list === 'nin' ? 'excludes nothing' : 'holds for nobody'}`]
      : []),
    ...(operands !== undefined && operands > 0 && wanted > operands
      ? [`at least ${wanted} of ${operands} operands are asked for, which nobody has`]
      : []),
    ...(typeof max === 'number' && wanted > max ? [`at least ${wanted} and at most ${max} is true for nobody`] : []),
    ...(from !== undefined && to !== undefined && from > to
      ? [`between ${from} and ${to} is true for nobody: write the smaller number first`]
      : []),
    ...(typeof after === 'string' && typeof before === 'string' && Date.parse(after) >= Date.parse(before)
      ? [`after ${after} and before ${before} is true for nobody`]
      : []),
    ...(node['hashed'] === true && node['grams'] === undefined && runs.some((name) => name in node)
      ? ['hashed operands need `grams`, the number of words or segments of the longest one: without it, one is taken']
      : []),
    ...(cohort !== undefined && !ids.has(cohort)
      ? [`no query has the id ${cohort}, so that nobody is in that cohort${nearest(cohort, ids)}`]
      : []),
  ];
};

/** A view counts twice where a condition has both of its events. */
const eventWarnings = (definition: Definition): readonly ProjectWarning[] => {
  const events = new Set([...nodesOf(definition)].flatMap(([{ event }]) => [event ?? []].flat()));
  const path = `queries/${definition.id}`;
  return events.has('PageviewEngagement') && events.has('PageviewComplete')
    ? [{ path, why: 'PageviewEngagement and PageviewComplete tell of the same view, which then counts twice' }]
    : [];
};

/** Cohorts that depend on themselves: their members change with each other's, up to 100 times an event. */
const cycles = (queries: readonly Definition[]): readonly ProjectWarning[] => {
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
    .map((id) => ({ path: `queries/${id}`, why: 'the cohort depends on itself' }));
};

/** Cohorts of a visitor of whom nothing is known. Cohorts that wait for data are not looked at. */
const always = (bundle: Bundle): readonly ProjectWarning[] => {
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
  return engine
    .members()
    .map((id) => ({ path: `queries/${id}`, why: 'a visitor who has done nothing yet is in this cohort' }));
};

/** The id that is most like a wrong one, where one is alike. */
const nearest = (wrong: Id, ids: ReadonlySet<Id>): string => {
  const found = [...ids]
    .map((id) => [id, distance(id, wrong)] as const)
    .filter(([, steps]) => steps <= 2)
    .sort(([, a], [, b]) => a - b)[0];
  return found === undefined ? '' : `; ${found[0]} is meant, perhaps`;
};
