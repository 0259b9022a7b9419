import type { Definition } from '../../src/engine/language/language';
import type { ProjectDefinition } from '../../src/model/project';
import { doubtful, type ProjectFinding, wrong } from './finding';
import { nodesOf } from './nodes';

/** Lists in which something stands twice, or nothing at all where something must. */
export const listFindings = (page: ProjectDefinition): readonly ProjectFinding[] => [
  ...[page.tpdProviders, page.identityTags].flatMap((list, i) =>
    repeated(list, ['tpdProviders', 'identityTags'][i] ?? '', doubtful('it stands twice in the list', 'leave one out')),
  ),
  ...Object.entries(page.platformCohorts).flatMap(([platform, numbers]) =>
    repeated(numbers, `platformCohorts/${platform}`, doubtful('the number stands twice in the list', 'leave one out')),
  ),
  ...Object.entries(page.optimisedActivationsConfig).flatMap(([platform, { cohorts }]) =>
    cohorts?.length === 0
      ? [
          {
            path: `optimisedActivationsConfig/${platform}/cohorts`,
            ...doubtful('the list is empty, so that the platform gets no cohort', 'list codes, or leave out cohorts'),
          },
        ]
      : [],
  ),
  ...activationIds(page),
];

const repeated = (
  list: readonly (string | number)[],
  path: string,
  said: Pick<ProjectFinding, 'severity' | 'message' | 'fix'>,
): readonly ProjectFinding[] =>
  list.flatMap((item, i) => (list.indexOf(item) < i ? [{ path: `${path}/${i}`, ...said }] : []));

/** Ids by which a Reaction event names its activation. */
const activationIds = ({ activations }: ProjectDefinition): readonly ProjectFinding[] => {
  const firsts = new Map<string, string>();
  return Object.entries(activations).flatMap(([addon, list]) =>
    list.flatMap(({ id }, i) => {
      const path = `activations/${addon}/${i}`;
      const first = firsts.get(id);
      if (first === undefined) firsts.set(id, path);
      return first === undefined
        ? []
        : [
            {
              path: `${path}/id`,
              ...doubtful(`${first} has the same id ${id}`, 'give each activation an id of its own'),
            },
          ];
    }),
  );
};

/** Definitions that a page can hold: engine.md §17 measures 5,000. */
const manyDefinitions = 5000;
const mostDefinitions = 20_000;
/** Operands of all queries. engine.md §17 measures 50,000 words; each costs some 100 bytes of memory. */
const manyOperands = 200_000;
const mostOperands = 2_000_000;

/** Queries and rules that come to more than a visitor's device can hold. */
export const sizeFindings = (queries: readonly Definition[]): readonly ProjectFinding[] => {
  const counts = queries.map(operandsIn);
  const operands = counts.reduce((sum, count) => sum + count, 0);
  const [largest] = queries.map(({ id }, i) => [id, counts[i] ?? 0] as const).sort(([, a], [, b]) => b - a);
  return [
    ...tooMany('queries', queries.length, 'cohorts', [manyDefinitions, mostDefinitions], 'leave out what is not used'),
    ...tooMany(
      `queries/${largest?.[0] ?? ''}`,
      operands,
      'operands in all queries, rules written out',
      [manyOperands, mostOperands],
      `shorten the longest lists; this query has ${largest?.[1] ?? 0}`,
    ),
  ];
};

const tooMany = (
  path: string,
  count: number,
  what: string,
  [many, most]: readonly [number, number],
  fix: string,
): readonly ProjectFinding[] => {
  if (count <= many) return [];
  const said = `there are ${count} ${what}, and a phone has room for ${many}`;
  return [{ path, ...(count > most ? wrong(said, fix) : doubtful(said, fix)) }];
};

const operandsIn = (definition: Definition): number =>
  [...nodesOf(definition)].reduce(
    (sum, [node]) =>
      sum +
      Object.values(node).reduce<number>(
        (count, list) => count + (Array.isArray(list) && typeof list[0] !== 'object' ? list.length : 0),
        0,
      ),
    0,
  );
