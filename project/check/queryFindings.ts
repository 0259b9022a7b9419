import { init } from '../../src/engine/engine';
import { unitMs } from '../../src/engine/language/canonical';
import type { Bundle, Definition, Id } from '../../src/engine/language/language';
import { ownEntry } from '../../src/hardening/ownFields';
import { isStandard } from '../../src/model/cohort';
import { dayMs } from '../../src/primitives/duration';
import { doubtful, nearestName, type ProjectFinding, type Said, wrong } from './finding';

/** Expressions and predicates as JSON has them: what is found does not depend on where a node stands. */
type Node = Readonly<Record<string, unknown>>;

/** Lists of operands, of which `min` counts different ones. */
const operandLists = ['in', 'nin', 'contains', 'startsWith', 'endsWith', 'words', 'under', 'urlPath', 'domain'];
/** Operands whose hashes are those of runs, so that the longest run has to be known. */
const runs = ['words', 'urlPath'];

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
        [...predicateFaults(node), ...countFaults(node), ...cohortFaults(node, ids, lift !== undefined)].map(
          (said) => ({ path: `queries/${definition.id}/${path}`, ...said }),
        ),
      ),
    ),
    ...queries.flatMap((definition) => eventDoubts(definition)),
    ...twiceNamed(queries),
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

/** Tests of a value, or of a list of nodes, that cannot hold. */
const predicateFaults = (node: Node): readonly Said[] => {
  const list = ['match', ...operandLists].find((name) => Array.isArray(node[name]));
  const operands = list === undefined ? undefined : new Set(node[list] as readonly unknown[]).size;
  const { between, min, max, after, before } = node;
  const wanted = typeof min === 'number' ? min : 1;
  const [from, to] = (Array.isArray(between) ? between : [0, 0]) as readonly number[];
  return [
    ...(operands !== undefined && wanted > operands
      ? [wrong(`at least ${wanted} of ${operands} are asked for, which nobody has`, `lower min to ${operands} or less`)]
      : []),
    ...(typeof max === 'number' && wanted > max
      ? [wrong(`at least ${wanted} and at most ${max} is true for nobody`, 'let max be min or more')]
      : []),
    ...(from !== undefined && to !== undefined && from > to
      ? [wrong(`between ${from} and ${to} is true for nobody`, `write [${to}, ${from}]`)]
      : []),
    ...(typeof after === 'string' && typeof before === 'string' && Date.parse(after) >= Date.parse(before)
      ? [wrong(`after ${after} and before ${before} is true for nobody`, 'let after be the earlier date')]
      : []),
    ...(node['hashed'] === true && node['grams'] === undefined && runs.some((name) => name in node)
      ? [wrong('hashed operands lack `grams`', 'add grams, the number of words or segments of the longest operand')]
      : []),
    ...(typeof node['const'] === 'boolean'
      ? [doubtful(`the condition is always ${node['const']}`, 'leave it out, or write what the visitor must have done')]
      : []),
  ];
};

/** The least count that satisfies a comparison, and the greatest. */
const countsOf = (comparison: unknown): readonly [least: number, greatest: number] => {
  const { gte, gt, lte, lt, eq, between } = (comparison ?? { gte: 1 }) as Readonly<
    Record<string, number | undefined>
  > & {
    readonly between?: readonly [number, number];
  };
  return [
    between?.[0] ?? eq ?? gte ?? (gt === undefined ? 0 : Math.floor(gt) + 1),
    between?.[1] ?? eq ?? lte ?? (lt === undefined ? Infinity : Math.ceil(lt) - 1),
  ];
};

const durationMs = (duration: unknown): number => {
  if (typeof duration === 'number') return duration;
  if (typeof duration === 'string') return Infinity;
  const [[unit, n] = ['', 0]] = Object.entries((duration ?? {}) as Readonly<Record<string, number>>);
  return n * (ownEntry<number>(unitMs, unit) ?? Infinity) || Infinity;
};

/** Different values that a property of the event itself can have in a window. */
const mostValues: Readonly<Record<string, (windowMs: number) => number>> = {
  // A window of seven days reaches into eight.
  $day: (windowMs) => Math.ceil(windowMs / dayMs) + 1,
  $hour: () => 24,
};

/** Counts that no visitor can have, or all visitors have. */
const countFaults = (node: Node): readonly Said[] => {
  const { event, sequence, entered, exited, is, within, distinct, sum, span } = node;
  if (event === undefined && sequence === undefined && entered === undefined && exited === undefined) return [];
  // A step of a sequence, and the first or last event, count nothing.
  const [least, greatest] = countsOf(is);
  const wholly = sum === undefined;
  const most = typeof distinct === 'string' ? (mostValues[distinct]?.(durationMs(within)) ?? Infinity) : Infinity;
  return [
    ...(greatest < 0 || (wholly && (is as Node | undefined)?.['eq'] !== undefined && !Number.isInteger(least))
      ? [wrong('no count is below 0 or a fraction, so this is true for nobody', 'compare with a whole number')]
      : []),
    ...(least <= 0 && greatest === Infinity
      ? [doubtful('every count is 0 or more, so this is true for everybody', 'write {"gte": 1} for at least once')]
      : []),
    ...(least > most
      ? [
          wrong(
            `${distinct as string} has at most ${most} values in that time, and ${least} are asked for`,
            'ask for fewer, or in a longer time',
          ),
        ]
      : []),
    ...(within === 'view' && event === 'Pageview' && wholly && least > 1 && least < Infinity
      ? [doubtful('a view has one Pageview', 'count in a session or a number of days')]
      : []),
    ...(span !== undefined && durationMs(span) > durationMs(within)
      ? [doubtful('the steps may take longer than they count', 'let span be within or less')]
      : []),
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
