import { sumOf } from '../../primitives/lists';
import type { CanonicalLeaf, CanonicalPred } from '../language/canonicalLanguage';
import { type OperandQuestion, questionOf } from './operandLeaf';

/**
 * Finds leaves of which at least one must hold if the predicate holds, with as few operands as can be; null where there
 * are none. The index then evaluates the predicate only for events that meet one of these leaves. A wrong cover would
 * lose events, so a node without a sure answer has none: `not`, `nin`, comparisons, dates, `exists`, `is`, `size`,
 * `all`, `none`, `startsWith`, `endsWith`.
 */
export const coverOf = (node: CanonicalPred): readonly OperandQuestion[] | null => {
  // All child conditions hold, so the cover of any one of them is enough.
  if ('and' in node) return cheapest(node.and.map(coverOf), 1);
  // Any child condition may be the one that holds, so the covers of all of them are needed.
  if ('or' in node) return cheapest(node.or.map(coverOf), node.or.length);
  // A negation holds for events that meet no leaf.
  if ('not' in node) return null;
  // Where n − k + 1 of the n child conditions fail, at most k − 1 are left to hold.
  if ('match' in node) return cheapest(node.match.map(coverOf), node.match.length - node.min + 1);
  if ('any' in node) {
    // With a minimum of 0 it may hold although no element does.
    if (node.min === 0) return null;
    // Asked of all elements of the list at once: when one element meets enough operands, the list as a whole does too.
    return coverOf(node.any)?.map((leaf) => ({ ...leaf, path: `${node.p}.${leaf.path}` })) ?? null;
  }
  const question = indexable(node);
  return question === null ? null : [question];
};

/**
 * The question of a leaf that is decided by counting which of its operands are among the keys of an event, null for
 * other leaves. A leaf that no hit is needed for holds for events that the index never sees.
 */
export const indexable = (leaf: CanonicalLeaf): OperandQuestion | null => {
  const question = questionOf(leaf);
  if (question === null || question.min < 1) return null;
  // The empty text is inside every other and selects nothing, and the automaton takes no empty patterns.
  const isIndexed = question.tag === 'contains' ? !question.operands.includes('') : indexedTags.has(question.tag);
  return isIndexed ? question : null;
};

/**
 * Whether a predicate holds as soon as one leaf of its cover does: it is such a leaf without a maximum, or one of
 * several such leaves is enough.
 */
export const isDecidedByCover = (node: CanonicalPred): boolean =>
  'or' in node ? node.or.every(isDecidedByCover) : 'p' in node && node.max === undefined && indexable(node) !== null;

const indexedTags: ReadonlySet<string> = new Set(['in', 'words', 'under', 'urlPath', 'domain']);

/** The `wanted` covers with the fewest operands, united; null when fewer are known. */
const cheapest = (
  covers: readonly (readonly OperandQuestion[] | null)[],
  wanted: number,
): readonly OperandQuestion[] | null => {
  const known = covers.filter((cover) => cover !== null);
  if (wanted < 1 || known.length < wanted) return null;
  return known
    .map((cover) => ({ cover, cost: sumOf(cover, ({ operands }) => operands.length) }))
    .sort((a, b) => a.cost - b.cost)
    .slice(0, wanted)
    .flatMap(({ cover }) => cover);
};
