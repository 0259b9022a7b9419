import { doubtful, type Said, wrong } from './finding';
import type { Node } from './nodes';
import { intersection, isEmpty, type Range, rangeOf, wholeOf } from './ranges';

/** Clauses of one `and` or `or` that exclude each other, that leave nothing out, or that stand twice. */
export const clauseFaults = (node: Node): readonly Said[] => {
  const { and, or } = node;
  if (Array.isArray(and)) {
    const clauses = flat(and as readonly Node[], 'and');
    return first(
      pairsOf(clauses).flatMap(([a, b]) => exclusions(a, b)),
      [...countsApart(clauses), ...twice(clauses)],
    );
  }
  if (Array.isArray(or)) {
    const clauses = flat(or as readonly Node[], 'or');
    return first(
      pairsOf(clauses).flatMap(([a, b]) => completions(a, b)),
      [...countsTogether(clauses), ...twice(clauses)],
    );
  }
  return [];
};

/** One finding a node is enough: the others are mostly of the same clauses. */
const first = (...lists: readonly (readonly Said[])[]): readonly Said[] => lists.flat().slice(0, 1);

/** The clauses with those of nodes of the same kind among them. */
const flat = (clauses: readonly Node[], kind: 'and' | 'or'): readonly Node[] =>
  clauses.flatMap((clause) => (Array.isArray(clause[kind]) ? flat(clause[kind] as readonly Node[], kind) : [clause]));

/** Clauses that are compared one with each other. Lists of hundreds are words, and no clauses. */
const mostCompared = 60;
const pairsOf = (clauses: readonly Node[]): readonly (readonly [Node, Node])[] =>
  clauses.length > mostCompared ? [] : clauses.flatMap((a, i) => clauses.slice(i + 1).map((b) => [a, b] as const));

/** The node as text, with its keys in order. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

const isNegation = (a: Node, b: Node): boolean =>
  (a['not'] !== undefined && textOf(a['not']) === textOf(b)) ||
  (b['not'] !== undefined && textOf(b['not']) === textOf(a));

const textsOf = (list: unknown): readonly string[] | undefined =>
  Array.isArray(list)
    ? list.filter((item) => ['string', 'number'].includes(typeof item)).map((item) => String(item).toLowerCase())
    : ['string', 'number'].includes(typeof list)
      ? [String(list).toLowerCase()]
      : undefined;

const never = 'the clauses exclude each other, so that this is true for nobody';
const always = 'one of the clauses always holds, so that this is true for everybody';
const mend = 'leave one of them out, or write what is meant';

/** Two clauses that cannot both hold. */
const exclusions = (a: Node, b: Node): readonly Said[] => {
  if (isNegation(a, b)) return [wrong(never, mend)];
  if (typeof a['p'] !== 'string' || a['p'] !== b['p']) return [];
  const path = a['p'];
  const missing = [a, b].find(({ exists }) => exists === false);
  const other = missing === a ? b : a;
  // Tests that hold where there is no value are let through.
  if (missing !== undefined && !('size' in other || 'none' in other) && other['exists'] !== false)
    return [wrong(`${path} must be missing and there, so that this is true for nobody`, mend)];
  return [...excludedOperands(a, b), ...excludedOperands(b, a), ...disjointNumbers(a, b, path)];
};

/** Values of a property that one clause asks for and the other excludes. */
const excludedOperands = (a: Node, b: Node): readonly Said[] => {
  const wanted = textsOf(a['in'] ?? a['eq']);
  const unwanted = textsOf(b['nin'] ?? b['neq']);
  const isSame = a['hashed'] === b['hashed'] && a['fold'] === b['fold'];
  return isSame && wanted !== undefined && unwanted !== undefined && wanted.every((text) => unwanted.includes(text))
    ? [wrong(never, mend)]
    : [];
};

/** Two comparisons that one number cannot satisfy. A list of numbers could, so that only metadata is certain. */
const disjointNumbers = (a: Node, b: Node, path: string): readonly Said[] => {
  const [one, two] = [a, b].map((node) => (node['eq'] === undefined ? rangeOf(node) : undefined));
  if (one === undefined || two === undefined || !isEmpty(intersection(one, two))) return [];
  return path.startsWith('$')
    ? [wrong(never, mend)]
    : [doubtful(`no number of ${path} satisfies both comparisons, except in a list of several`, mend)];
};

/** Two clauses of which one always holds. */
const completions = (a: Node, b: Node): readonly Said[] => {
  if (isNegation(a, b)) return [wrong(always, mend)];
  const isSamePath = typeof a['p'] === 'string' && a['p'] === b['p'];
  return isSamePath && typeof a['exists'] === 'boolean' && b['exists'] === !a['exists'] ? [wrong(always, mend)] : [];
};

const counting = ['event', 'sequence', 'entered', 'exited'];

/** The comparisons of the same count, by what is counted. Sums are not whole numbers. */
const comparisonsOf = (clauses: readonly Node[]): ReadonlyMap<string, readonly Range[]> => {
  const byCount = new Map<string, Range[]>();
  for (const clause of clauses) {
    if (!counting.some((key) => key in clause) || clause['sum'] !== undefined) continue;
    const { is = { gte: 1 }, ...counted } = clause;
    const range = rangeOf(is as Node);
    if (range === undefined) continue;
    const key = textOf(counted);
    byCount.set(key, [...(byCount.get(key) ?? []), range]);
  }
  return byCount;
};

/** Comparisons of one count that no count satisfies together. */
const countsApart = (clauses: readonly Node[]): readonly Said[] =>
  [...comparisonsOf(clauses).values()].some((ranges) => {
    const [least, greatest] = wholeOf(ranges.reduce(intersection));
    return ranges.length > 1 && least > greatest;
  })
    ? [wrong('the same is counted twice, and no count satisfies all comparisons', 'use between, or leave one out')]
    : [];

/** Comparisons of one count, of which every count satisfies one. */
const countsTogether = (clauses: readonly Node[]): readonly Said[] =>
  [...comparisonsOf(clauses).values()].some((ranges) => {
    const counts = ranges.map(wholeOf).sort(([a], [b]) => a - b);
    const reached = counts.reduce(
      (most, [least, greatest]) => (least <= most + 1 ? Math.max(most, greatest) : most),
      -1,
    );
    return ranges.length > 1 && reached === Infinity;
  })
    ? [wrong('every count satisfies one of the comparisons, so that this is true for everybody', mend)]
    : [];

const twice = (clauses: readonly Node[]): readonly Said[] => {
  const texts = clauses.map(textOf);
  return new Set(texts).size < texts.length ? [doubtful('the same clause stands twice', 'leave one of them out')] : [];
};
