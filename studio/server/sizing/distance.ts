import type { ExplainedNode } from '../../../src/engine/evaluate/explain';
import type { Cmp } from '../../../src/engine/language/language';
import { aboutClause, clauseWords, comparison, type ExplainedFields, text } from '../../../src/engineHost/explainWords';

/** How far a visitor is from a condition, and what is missing, in words. */
export interface Distance {
  readonly value: number;
  readonly missing: readonly string[];
}

const none: Distance = { value: 0, missing: [] };
const never: Distance = { value: Infinity, missing: [] };

/**
 * How far an explained condition is from being as wanted. A leaf that is not as wanted costs 1; one that counts costs
 * the part of its count that is missing or too much, at most 1 and at least 0.01. `and` costs the sum of its parts,
 * `or` the cheapest of them, and `match` the cheapest ones of those that it lacks. So a visitor is near whom the fewest
 * leaves are missing, and of these the one whose counts are nearest.
 */
export const distanceTo = (node: ExplainedNode, wanted: boolean): Distance => {
  if (node.holds === wanted) return none;
  const fields = node as ExplainedFields;
  const children = (fields['of'] ?? []) as readonly ExplainedNode[];
  switch (fields.node) {
    case 'const':
      return never;
    case 'not':
      return sumOf(children.map((child) => distanceTo(child, !wanted)));
    case 'sub':
      return sumOf(children.map((child) => distanceTo(child, wanted)));
    case 'and':
    case 'or': {
      const parts = children.map((child) => distanceTo(child, wanted)).filter(({ value }) => value > 0);
      return (fields.node === 'and') === wanted ? sumOf(parts) : least(parts, 1);
    }
    case 'match': {
      const lacks = Number(fields['need']) - Number(fields['have']);
      // A visitor who has too many of the clauses must lose one.
      const truth = wanted && lacks > 0;
      const count = truth ? lacks : wanted ? 1 : 1 - lacks;
      const parts = children.filter(({ holds }) => holds !== truth).map((child) => distanceTo(child, truth));
      return least(parts, count);
    }
    default:
      return leaf(fields, wanted);
  }
};

const sumOf = (parts: readonly Distance[]): Distance => ({
  value: parts.reduce((sum, { value }) => sum + value, 0),
  missing: parts.flatMap(({ missing }) => missing),
});

const least = (parts: readonly Distance[], count: number): Distance =>
  parts.length < count ? never : sumOf([...parts].sort((a, b) => a.value - b.value).slice(0, Math.max(1, count)));

const leaf = (node: ExplainedFields, wanted: boolean): Distance => {
  const { have, need } = node;
  if (typeof have !== 'number' || need === undefined || node.node === 'last' || node.node === 'first')
    return { value: 1, missing: [clauseWords(node, wanted)] };
  const [low, high] = typeof need === 'number' ? [need, Infinity] : boundsOf(need as Cmp);
  const about = aboutClause(node);
  if (!wanted) {
    const over = low > 0 && have >= low ? (have - low + 1) / Math.max(have, 1) : 1;
    return { value: clamped(over), missing: [`no longer ${text(have)} ${about}`] };
  }
  if (have < low) {
    const words =
      high === Infinity
        ? `${text(have)} of ${text(low)} ${about}`
        : `${text(have)} ${about}, needs ${comparison(need)}`;
    return { value: clamped((low - have) / Math.max(low, 1)), missing: [words] };
  }
  return {
    value: clamped((have - high) / Math.max(have, 1)),
    missing: [`${text(have)} ${about}, needs ${comparison(need)}`],
  };
};

const clamped = (part: number): number => Math.min(1, Math.max(0.01, part));

/** The least and the most that a comparison lets through; the next whole number where a bound is not included. */
const boundsOf = (need: Cmp): readonly [low: number, high: number] => {
  if ('gte' in need) return [need.gte, Infinity];
  if ('gt' in need) return [Math.floor(need.gt) + 1, Infinity];
  if ('lte' in need) return [-Infinity, need.lte];
  if ('lt' in need) return [-Infinity, Math.ceil(need.lt) - 1];
  return 'eq' in need ? [need.eq, need.eq] : need.between;
};
