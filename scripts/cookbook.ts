import { gzipSync } from 'node:zlib';

import { init } from '../src/engine/engine';
import { published } from '../src/engine/language/canonical';
import type { Definition, Id } from '../src/engine/language/language';
import { h53 } from '../src/engine/language/murmur';
import { expandTable } from '../src/engine/rules/expandRules';
import { visitorOf } from '../studio/page/play/generatedVisitor';

// The cohorts of docs/cookbook.md, as they stand on the page, and what they cost.

/** A part of a project definition. */
export interface CookbookProject {
  readonly queries: readonly Definition[];
  readonly rules: Readonly<Record<Id, unknown>>;
  readonly lift?: { readonly events: readonly string[] };
  readonly cohortNames: Readonly<Record<Id, string>>;
}

type Block = Definition | Partial<CookbookProject>;

/** All cohorts of the page as one project. What is no JSON throws. */
export const cookbookProject = (page: string): CookbookProject => {
  const blocks = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, block = '']) => JSON.parse(block) as Block);
  const parts = blocks.map((block) => ('q' in block ? { queries: [block] } : block));
  const lift = parts.flatMap((part) => part.lift?.events ?? []);
  return {
    queries: parts.flatMap(({ queries = [] }) => queries),
    rules: Object.assign({}, ...parts.map(({ rules = {} }) => rules)) as CookbookProject['rules'],
    ...(lift.length > 0 && { lift: { events: lift } }),
    cohortNames: {},
  };
};

/** The queries of the page, those of rules among them. */
export const cookbookQueries = ({ queries, rules }: CookbookProject): readonly Definition[] => [
  ...queries,
  ...expandTable(rules).definitions,
];

/** A list of operands that is short on the page and long at publishers. */
const grown: Readonly<Record<Id, number>> = { '20215': 2000 };

/** The query with as many more hashed operands as publishers have. */
const withOperands = (query: Definition, count: number): Definition => {
  const operands = Array.from({ length: count }, (_, i) => h53(`keyword ${i}`, 0));
  const text = JSON.stringify(query).replace(/"in":\[[^\]]*\]/, `"in":[${operands.join(',')}]`);
  return JSON.parse(text) as Definition;
};

/** What the build ships of queries. */
const fileOf = (queries: readonly Definition[]): Buffer =>
  gzipSync(
    JSON.stringify(
      queries.map(({ id, q, sub }) => {
        const { checksum, ...shipped } = published({ id, q, ...(sub && { sub }) });
        return { ...shipped, checksum };
      }),
    ),
    { level: 9 },
  );

/** The bytes that a query adds to the others, gzip. */
const bytesOf = (query: Definition, all: readonly Definition[]): number => {
  const others = all.filter(({ id }) => id !== query.id);
  return fileOf([...others, query]).length - fileOf(others).length;
};

/** Events of generated readers of the sample paper, oldest first. */
const eventsOfReaders = () => [1, 2, 3].flatMap((seed) => visitorOf(seed, 'anything')).sort((a, b) => a.time - b.time);

const noData = { geo: {}, client: {}, user: {}, classification: {}, thirdParty: {}, secondParty: {}, lookalike: [] };
const rounds = 15;

/** The time of an event with a query and those that it reads, in µs: the least of some rounds. */
const microsecondsOf = (query: Definition, all: readonly Definition[]): number => {
  const events = eventsOfReaders();
  const queries = all.filter(({ id }) => id === query.id || JSON.stringify(query.q).includes(`"${id}"`));
  const spent = Array.from({ length: rounds }, () => {
    const engine = init({
      ...{ event_source_id: 'cookbook', now: events[0]?.time ?? 0, state: null, lookups: noData, pending: [] },
      bundle: { v: 1, id: 'cookbook', seed: 0, queries: queries.map((each) => (each.id === query.id ? query : each)) },
      context: { session: null, view: null },
    });
    engine.bootstrap();
    engine.replay([]);
    const start = performance.now();
    for (const event of events) engine.process([event], event.time);
    return performance.now() - start;
  });
  return (1000 * Math.min(...spent)) / events.length;
};

/** One line of the table of costs. */
export interface CostRow {
  readonly name: string;
  readonly bytes: number;
  /** As it stands in the table, such as `1.2`. */
  readonly time: string;
}

const rowLine = ({ name, bytes, time }: CostRow): string => `| ${name} | ${bytes} | ${time} |`;

/** The lines of a page's table of costs. */
export const costRowsOf = (page: string): readonly CostRow[] =>
  [...(page.split('<!-- costs -->')[1] ?? '').matchAll(/^\| (.+?) \| (\d+) \| ([\d.]+) \|$/gm)].map(
    ([, name = '', bytes = '', time = '']) => ({ name, bytes: Number(bytes), time }),
  );

/** What each cohort costs. Times are those of `known`, and are measured where they stand there not. */
export const costRows = (project: CookbookProject, known: readonly CostRow[]): readonly CostRow[] => {
  const all = cookbookQueries(project);
  // The first measurements would tell of the compiler of JavaScript.
  if (all.some(({ id }) => !known.some(({ name }) => name.startsWith(id))))
    for (const query of all) microsecondsOf(query, all);
  const rowOf = (name: string, query: Definition): CostRow => ({
    name,
    bytes: bytesOf(query, all),
    time: known.find((row) => row.name === name)?.time ?? microsecondsOf(query, all).toFixed(1),
  });
  return all.flatMap((query) => {
    const name = `${query.id}${query.name === undefined ? '' : ` ${query.name}`}`;
    const count = grown[query.id];
    return [
      rowOf(name, query),
      ...(count === undefined ? [] : [rowOf(`${name}, with ${count} keywords`, withOperands(query, count))]),
    ];
  });
};

/** The page with its table of costs as it is now. Times that stand there are kept unless they are `measured` anew. */
export const withCosts = (page: string, measured = false): string => {
  const rows = costRows(cookbookProject(page), measured ? [] : costRowsOf(page));
  const table = ['| cohort | bytes | µs an event |', '| --- | --- | --- |', ...rows.map(rowLine)].join('\n');
  return page.replace(/<!-- costs -->[\s\S]*<!-- \/costs -->/, `<!-- costs -->\n${table}\n<!-- /costs -->`);
};
