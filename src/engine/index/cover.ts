import type { CanonicalLeaf, CanonicalPred } from '../language/canonicalLanguage';
import { questionOf } from './operandLeaf';

/**
 * Finds leaves of which at least one must hold if the predicate holds, with as few operands as can be; null
 * where there are none. Only events that meet one of them need the predicate evaluated.
 */
export const coverOf = (node: CanonicalPred): readonly CanonicalLeaf[] | null => {
  if ('and' in node) return cheapest(node.and.map(coverOf), 1);
  if ('or' in node) return cheapest(node.or.map(coverOf), node.or.length);
  if ('not' in node) return null;
  // If every one of n − k + 1 children fails, at most k − 1 are left to hold.
  if ('match' in node) return cheapest(node.match.map(coverOf), node.match.length - node.min + 1);
  if ('any' in node)
    return node.min === 0 ? null : (coverOf(node.any)?.map((leaf) => elementLeaf(node.p, leaf)) ?? null);
  return isIndexable(node) ? [node] : null;
};

/** Whether a leaf is decided by counting which of its operands are among the keys of an event. */
export const isIndexable = (leaf: CanonicalLeaf): boolean => {
  const question = questionOf(leaf);
  if (question === null || question.min < 1) return false;
  // The empty text is inside every other, so that it selects nothing.
  return question.tag === 'contains' ? !question.operands.includes('') : indexedTags.has(question.tag);
};

const indexedTags: ReadonlySet<string> = new Set(['in', 'words', 'under', 'urlPath', 'domain']);

/** The same leaf over all elements of a list at once: it meets enough operands at least when one of them does. */
const elementLeaf = (outer: string, leaf: CanonicalLeaf): CanonicalLeaf => ({ ...leaf, p: `${outer}.${leaf.p}` });

const cheapest = (
  covers: readonly (readonly CanonicalLeaf[] | null)[],
  wanted: number,
): readonly CanonicalLeaf[] | null => {
  const known = covers.filter((cover) => cover !== null);
  if (wanted < 1 || known.length < wanted) return null;
  return known
    .map((cover) => ({ cover, cost: cover.reduce((sum, leaf) => sum + (questionOf(leaf)?.operands.length ?? 0), 0) }))
    .sort((a, b) => a.cost - b.cost)
    .slice(0, wanted)
    .flatMap(({ cover }) => cover);
};
