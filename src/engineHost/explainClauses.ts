import type { Explanation } from '../engine/engine';
import type { ExplainedNode } from '../engine/evaluate/explain';
import type { ClauseExplanation, CohortExplanation } from '../model/explanation';
import { aboutClause, clauseWords, comparison, type ExplainedFields, flipInWords, text } from './explainWords';

/** Puts an explanation into parts that the inspector shows. */
export const explainClauses = ({ id, result, held, failed, changesAt, tree }: Explanation): CohortExplanation => ({
  id,
  result,
  held,
  failed,
  ...(changesAt !== undefined && { changesAt }),
  flip: flipInWords(tree, !tree.holds, missingWords)?.text ?? null,
  clause: clauseOf(tree),
});

const clauseOf = (node: ExplainedNode): ClauseExplanation => {
  const {
    node: tag,
    holds,
    have,
    haveHere,
    need,
    changesAt,
    events = [],
    buckets = [],
    of = [],
  } = node as CountedClause;
  const isNumber = typeof have === 'number' && tag !== 'last' && tag !== 'first' && tag !== 'not' && tag !== 'sub';
  return {
    node: tag,
    holds,
    about: aboutClause(node as ExplainedFields),
    ...(isNumber && { have, needs: typeof need === 'number' ? `at least ${text(need)}` : comparison(need) }),
    ...(haveHere !== undefined && haveHere !== have && { haveHere }),
    ...(changesAt !== undefined && { changesAt }),
    events,
    buckets,
    of: of.map(clauseOf),
  };
};

/** The fields of a node that are passed on, as far as its kind has them. */
interface CountedClause extends Partial<Pick<ClauseExplanation, 'haveHere' | 'changesAt' | 'events' | 'buckets'>> {
  readonly node: string;
  readonly holds: boolean;
  readonly have?: unknown;
  readonly need?: unknown;
  readonly of?: readonly ExplainedNode[];
}

/**
 * What must happen so that one clause becomes as wanted: how much more is missing, where it compares a count. Null
 * where nothing that happens makes it so. Counts become smaller by time alone, which `changesAt` tells.
 */
const missingWords = (node: ExplainedFields, wanted: boolean): string | null => {
  const { node: tag, have, need, within } = node;
  if (tag === 'cohort') return `${wanted ? 'entering' : 'leaving'} cohort ${text(node['cohort'])}`;
  if (tag === 'lookalike')
    return `a score of ${wanted ? 'at least' : 'less than'} ${text(need)} by model ${text(node['model'])}`;
  if ((tag === 'thirdParty' || tag === 'secondParty') && typeof have === 'number' && typeof need === 'number')
    return wanted ? `${need - have} more of ${aboutClause(node)}` : `${have - need + 1} fewer of ${aboutClause(node)}`;
  const bounds = typeof have === 'number' && typeof need === 'object' && need !== null ? boundsOf(need) : undefined;
  if (bounds === undefined || typeof have !== 'number' || tag === 'last' || tag === 'first')
    return clauseWords(node, wanted);
  const [low, high] = bounds;
  // Values that are wanted, or that are not, begin so far above what the visitor has.
  const more = wanted ? low - have : high - have + (String(node['agg']).startsWith('sum') ? 0 : 1);
  if (more > 0 && Number.isFinite(more)) return `${text(more)} more ${inNumber(node, more)}`;
  return typeof within === 'string' ? `another ${within}` : null;
};

/** What a clause is about, for so many of it. */
const inNumber = (node: ExplainedFields, count: number): string =>
  count === 1 ? aboutClause(node).replace(/ events\b/, ' event') : aboutClause(node);

/** The least and the most that a comparison accepts, of whole numbers; undefined where it is of another kind. */
const boundsOf = (need: object): readonly [low: number, high: number] | undefined => {
  const [[operator, operand] = ['', undefined]] = Object.entries(need) as [string, unknown][];
  if (operator === 'between' && Array.isArray(operand)) return [Number(operand[0]), Number(operand[1])];
  if (typeof operand !== 'number') return undefined;
  const bounds: Readonly<Record<string, readonly [number, number]>> = {
    gte: [operand, Infinity],
    gt: [operand + 1, Infinity],
    lte: [-Infinity, operand],
    lt: [-Infinity, operand - 1],
    eq: [operand, operand],
  };
  return bounds[operator];
};
