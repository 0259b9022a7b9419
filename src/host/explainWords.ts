import type { Explanation } from '../engine/engine';
import type { ExplainedNode } from '../engine/explain';

/**
 * An explanation as a publisher reads it: one line a clause, indented, with what the visitor has, what is needed, when it
 * changes by time alone, and at the end what would flip the whole.
 */
export const explainWords = (explanation: Explanation): string => {
  const { id, result, held, failed, tree } = explanation;
  const verdict = `Cohort ${id}: the visitor is ${result ? 'a member' : 'not a member'}.`;
  const reservation = failed ? ' The query has failed on this page: the last result stands.' : held ? ' Data is pending: the last result stands.' : '';
  const flips = flipOf(tree, !tree.holds);
  return [verdict + reservation, ...lines(tree, ''), ...(flips.length > 0 ? [`To ${result ? 'leave' : 'enter'}: ${flips.join(tree.node === 'or' && !result ? ', or ' : ', and ')}.`] : [])].join('\n');
};

type Node = ExplainedNode & Readonly<Record<string, unknown>>;

const lines = (node: ExplainedNode, indent: string): readonly string[] => {
  const children = (node as Node)['of'] as readonly ExplainedNode[] | undefined;
  return [`${indent}${node.holds ? '✓' : '✗'} ${clause(node as Node)}`, ...(children ?? []).flatMap((child) => lines(child, `${indent}  `))];
};

/** One clause, in words. */
const clause = (node: Node): string => {
  const { node: tag, have, need } = node;
  switch (tag) {
    case 'and':
      return 'all of:';
    case 'or':
      return 'any of:';
    case 'not':
      return 'not:';
    case 'match':
      return `at least ${text(need)} of (${text(have)} now):`;
    case 'sub':
      return 'the shared clause:';
    case 'const':
      return 'always the same';
    case 'cohort':
      return `member of cohort ${text(node['cohort'])}`;
    case 'lookup':
      return `${text(node['lookup'])} data matches${pending(node)}`;
    case 'thirdParty':
    case 'secondParty':
      return `${text(have)} of the listed segments of ${text(node['provider'])}, needs ${text(need)}${pending(node)}`;
    case 'lookalike':
      return `score ${Number(have).toFixed(3)} of model ${text(node['model'])}, needs ${text(need)}`;
    default:
      return counted(node);
  }
};

const pending = (node: Node): string => (node['pending'] === true ? ' (not here yet)' : '');

const counted = (node: Node): string => {
  const { what, agg, have, haveHere, need, within, changesAt } = node;
  const elsewhere = haveHere === have ? '' : ` (${text(haveHere)} on this device)`;
  const time = changesAt === undefined ? '' : `; changes by itself at ${text(changesAt)}`;
  return `${subject(node.node, text(what), text(agg))}${span(within)}: has ${text(have)}${elsewhere}, needs ${comparison(need)}${time}`;
};

const subject = (tag: string, what: string, agg: string): string => {
  if (tag === 'entered' || tag === 'exited') return `times cohort ${what} was ${tag}`;
  if (tag === 'sequence') return `times ${what}`;
  if (tag === 'last' || tag === 'first') return `the ${tag} ${what} matches`;
  const [kind, path = ''] = agg.split(' ');
  return kind === 'sum' ? `${path} of ${what} in all` : kind === 'distinct' ? `different ${path} of ${what}` : `${what} events`;
};

const span = (within: unknown): string => (typeof within === 'number' ? ` in the last ${duration(within)}` : typeof within === 'string' ? ` in this ${within}` : '');

const units: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
];

const duration = (ms: number): string => {
  const [unit, name] = units.find(([size]) => ms % size === 0) ?? [1, 'millisecond'];
  return `${ms / unit} ${name}${ms === unit ? '' : 's'}`;
};

const comparisons: Readonly<Record<string, string>> = { gte: 'at least', gt: 'more than', lte: 'at most', lt: 'fewer than', eq: 'exactly' };

const comparison = (need: unknown): string => {
  const [[operator, operand] = ['', undefined]] = Object.entries(need as Readonly<Record<string, unknown>>);
  return Array.isArray(operand) ? `between ${text(operand[0])} and ${text(operand[1])}` : `${comparisons[operator] ?? operator} ${text(operand)}`;
};

/** The clauses that stand in the way of the wanted truth: satisfied, they would bring it about. */
const flipOf = (node: ExplainedNode, wanted: boolean): readonly string[] => {
  if (node.holds === wanted) return [];
  const children = ((node as Node)['of'] ?? []) as readonly ExplainedNode[];
  if (node.node === 'not') return children.flatMap((child) => flipOf(child, !wanted));
  if (children.length > 0) return children.flatMap((child) => flipOf(child, wanted));
  return [wanted ? clause(node as Node) : `no longer “${clause(node as Node)}”`];
};

const text = (value: unknown): string => (typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : typeof value === 'string' ? value : '');
