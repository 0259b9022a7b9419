import type { Explanation } from '../engine/engine';
import type { ExplainedNode } from '../engine/evaluate/explain';
import { dayMs, hourMs, minuteMs } from '../primitives/duration';

/**
 * Puts an explanation into words for a publisher. The first line is the verdict. Each clause is an indented line with
 * what the visitor has, what is needed, and when it changes by time alone. The last line says what would make the
 * visitor enter or leave the cohort.
 */
export const explainWords = (explanation: Explanation): string => {
  const { id, result, held, failed, tree } = explanation;
  const verdict = `Cohort ${id}: the visitor is ${result ? 'a member' : 'not a member'}.`;
  // A held or failed query keeps its last result, which may differ from what the clauses say.
  const reservation = failed
    ? ' The query has failed on this page: the last result stands.'
    : held
      ? ' Data is pending: the last result stands.'
      : '';
  // The wanted truth is the opposite of what the clauses say, which is not always the opposite of the result.
  const flip = flipInWords(tree, !tree.holds);
  return [
    verdict + reservation,
    ...lines(tree, ''),
    ...(flip === null ? [] : [`To ${tree.holds ? 'leave' : 'enter'}: ${flip.text}.`]),
  ].join('\n');
};

/** A node with the fields that its kind has. */
export type ExplainedFields = ExplainedNode & Readonly<Record<string, unknown>>;

/** A line for the node, and deeper indented lines for its children. */
const lines = (node: ExplainedNode, indent: string): readonly string[] => {
  const children = (node as ExplainedFields)['of'] as readonly ExplainedNode[] | undefined;
  return [
    `${indent}${node.holds ? '✓' : '✗'} ${clause(node as ExplainedFields)}`,
    ...(children ?? []).flatMap((child) => lines(child, `${indent}  `)),
  ];
};

/** One clause in words. The words of a group end with a colon, because its children follow. */
const clause = (node: ExplainedFields): string => {
  const { node: tag, have, need } = node;
  switch (tag) {
    case 'and':
      return 'all of:';
    case 'or':
      return 'any of:';
    case 'not':
      return 'not:';
    case 'match':
      return `at least ${text(need)} of these (${text(have)} now):`;
    case 'sub':
      return 'the shared clause:';
    case 'const':
      return node.holds ? 'always' : 'never';
    case 'cohort':
      return `member of cohort ${text(node['cohort'])}`;
    case 'lookup':
      return `${text(node['lookup'])} data matches${pending(node)}`;
    case 'thirdParty':
    case 'secondParty':
      return `${text(have)} of the listed segments of ${text(node['provider'])}, needs ${text(need)}${pending(node)}`;
    case 'lookalike': {
      const score = have === null ? 'no score yet' : `score ${text(have)}`;
      return `${score} of model ${text(node['model'])}, needs at least ${text(need)}`;
    }
    default:
      return counted(node);
  }
};

const pending = (node: ExplainedFields): string => (node['pending'] === true ? ' (not here yet)' : '');

/** A clause about counted events, transitions or sequences, or about the first or last event. */
const counted = (node: ExplainedFields): string => {
  const { what, agg, have, haveHere, need, within, changesAt } = node;
  const elsewhere = haveHere === have ? '' : ` (${text(haveHere)} on this device)`;
  const time = changesAt === undefined ? '' : `; changes by itself at ${text(changesAt)}`;
  if (node.node === 'last' || node.node === 'first')
    return `the ${node.node} ${text(what)}${span(within)} matches${time}`;
  const count = `has ${text(have)}${elsewhere}, needs ${comparison(need)}`;
  return `${subject(node.node, text(what), text(agg))}${span(within)}: ${count}${time}`;
};

/** The subject that is counted. `agg` is `count`, `sum {path}` or `distinct {path}`. */
const subject = (tag: string, what: string, agg: string): string => {
  if (tag === 'entered' || tag === 'exited') return `times cohort ${what} was ${tag}`;
  if (tag === 'sequence') return `times ${what}`;
  const [kind, path = ''] = agg.split(' ');
  return kind === 'sum'
    ? `${path} of ${what} in all`
    : kind === 'distinct'
      ? `different ${path} of ${what}`
      : `${what} events`;
};

/** The window in words: ms, or `session` or `view`; nothing for a life time. */
const span = (within: unknown): string =>
  typeof within === 'number'
    ? ` in the last ${duration(within)}`
    : typeof within === 'string'
      ? ` in this ${within}`
      : '';

const unitNames: readonly (readonly [ms: number, name: string])[] = [
  [dayMs, 'day'],
  [hourMs, 'hour'],
  [minuteMs, 'minute'],
  [1000, 'second'],
];

/** A duration in the largest unit that divides it. */
const duration = (ms: number): string => {
  const [unit, name] = unitNames.find(([size]) => ms % size === 0) ?? [1, 'millisecond'];
  return `${ms / unit} ${name}${ms === unit ? '' : 's'}`;
};

const comparisons: Readonly<Record<string, string>> = {
  gte: 'at least',
  gt: 'more than',
  lte: 'at most',
  lt: 'fewer than',
  eq: 'exactly',
};

/** A comparison in words. The one key of a comparison is the operator. */
export const comparison = (need: unknown): string => {
  const [[operator, operand] = ['', undefined]] = Object.entries(need as Readonly<Record<string, unknown>>);
  return Array.isArray(operand)
    ? `between ${text(operand[0])} and ${text(operand[1])}`
    : `${comparisons[operator] ?? operator} ${text(operand)}`;
};

/**
 * What a clause is about, without what the visitor has and needs, such as `Pageview events in the last 7 days`; `all
 * of` and the like for groups.
 */
export const aboutClause = (node: ExplainedFields): string => {
  const { node: tag, what, agg, within } = node;
  switch (tag) {
    case 'match':
      return 'a number of';
    case 'thirdParty':
    case 'secondParty':
      return `the listed segments of ${text(node['provider'])}${pending(node)}`;
    case 'lookalike':
      return `score of model ${text(node['model'])}`;
    case 'last':
    case 'first':
      return `the ${tag} ${text(what)}${span(within)} matches`;
    case 'entered':
    case 'exited':
    case 'sequence':
    case 'event':
      return `${subject(tag, text(what), text(agg))}${span(within)}`;
    default:
      return clause(node).replace(/:$/, '');
  }
};

/** A clause in words, or that it no longer holds. */
export const clauseWords = (node: ExplainedFields, wanted: boolean): string =>
  wanted ? clause(node) : `no longer “${clause(node)}”`;

/** What would make a node true or false, in words. A list is put in brackets inside another list. */
interface Flip {
  readonly text: string;
  readonly isList: boolean;
}

/**
 * What must change so that the node becomes as wanted; null where nothing can make it so.
 *
 * The wanted truth is passed down the tree: `not` reverses it, and groups pass it to those children that do not have it
 * yet. A group then needs all of these children or any one of them, by its kind. Leaves are named by `leafWords`.
 */
export const flipInWords = (
  node: ExplainedNode,
  wanted: boolean,
  leafWords: (node: ExplainedFields, wanted: boolean) => string | null = clauseWords,
): Flip | null => {
  const children = ((node as ExplainedFields)['of'] ?? []) as readonly ExplainedNode[];
  const { node: tag, have, need } = node as ExplainedFields;
  const flipsTo = (truth: boolean): readonly Flip[] =>
    children.filter(({ holds }) => holds !== truth).flatMap((child) => flipInWords(child, truth, leafWords) ?? []);
  switch (tag) {
    case 'const':
      return null;
    case 'not':
      return flipList(flipsTo(!wanted), 'and');
    case 'and':
    case 'or':
    case 'sub': {
      // An `and` becomes true by all of its clauses and false by any of them; with an `or` it is the other way round.
      const flips = flipsTo(wanted);
      const needsAll = (tag === 'or') !== wanted;
      // Where all children are needed, one that cannot change makes the group impossible.
      return needsAll && flips.length < children.filter(({ holds }) => holds !== wanted).length
        ? null
        : flipList(flips, needsAll ? 'and' : 'or');
    }
    case 'match': {
      const missing = Number(need) - Number(have);
      // A visitor who has too many matches must lose some.
      const truth = wanted && missing > 0;
      // The number of children that must change. A `match` that is to fail needs one fewer than its minimum.
      const count = truth ? missing : wanted ? 1 : 1 - missing;
      const flips = flipsTo(truth);
      if (flips.length < count) return null;
      return flips.length === count
        ? flipList(flips, 'and')
        : count === 1
          ? flipList(flips, 'or')
          : { text: `${count} of: ${flips.map(part).join('; ')}`, isList: true };
    }
    default: {
      const words = leafWords(node as ExplainedFields, wanted);
      return words === null ? null : { text: words, isList: false };
    }
  }
};

/** Several changes as one; null where there are none. */
const flipList = (flips: readonly Flip[], word: 'and' | 'or'): Flip | null => {
  const [first, ...others] = flips;
  if (first === undefined) return null;
  return others.length === 0 ? first : { text: flips.map(part).join(`, ${word} `), isList: true };
};

const part = ({ text: words, isList }: Flip): string => (isList ? `(${words})` : words);

/** A number with at most three decimals, or a text; nothing for other values. */
export const text = (value: unknown): string =>
  typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : typeof value === 'string' ? value : '';
