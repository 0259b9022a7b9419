import { childrenOf, stepsOf } from '../../src/engine/cells/cellOrder';
import { readTrusted } from '../../src/engine/cohortEngine';
import type { EngineEvent } from '../../src/engine/engineEvent';
import { compilePred } from '../../src/engine/index/predicate';
import {
  type CanonicalExpr,
  type CanonicalLeaf,
  type CanonicalPred,
  type CanonicalStep,
  isCellExpr,
} from '../../src/engine/language/canonicalLanguage';
import type { Bundle } from '../../src/engine/language/language';
import { doubtful, type ProjectFinding } from './finding';

/** A test that holds for a larger share of page views selects little, and costs its cohort on each of them. */
const mostShare = 0.01;
/** Shares of fewer page views say nothing. */
const fewestPageviews = 100;

/**
 * Tests of page views that hold for more than 1 % of recorded ones, each once for its cohort. Answers nothing where
 * there are fewer than 100 page views.
 */
export const commonLeafFindings = (
  { queries, seed }: Bundle,
  events: readonly EngineEvent[],
): readonly ProjectFinding[] => {
  const pageviews = events.filter(({ name }) => name === 'Pageview');
  if (pageviews.length < fewestPageviews) return [];
  // Many cohorts have the same leaf.
  const shares = new Map<string, number>();
  const shareOf = (leaf: CanonicalLeaf, key: string): number => {
    const known = shares.get(key);
    if (known !== undefined) return known;
    const holds = compilePred(leaf, seed);
    const share = pageviews.filter((event) => holds({ root: event.properties, event })).length / pageviews.length;
    shares.set(key, share);
    return share;
  };
  return queries.map(readTrusted).flatMap(({ id, q, sub = [] }) => {
    const leaves = new Map([q, ...sub].flatMap(pageviewLeaves).map((leaf) => [JSON.stringify(leaf), leaf]));
    return [...leaves].flatMap(([key, leaf]) => {
      const share = shareOf(leaf, key);
      return share <= mostShare
        ? []
        : [
            {
              path: `queries/${id}`,
              ...doubtful(
                `the test of ${leaf.p} holds for ${(share * 100).toFixed(1)} % of the page views`,
                'ask for something rarer, or leave it: the engine looks at this cohort on each of them',
              ),
            },
          ];
    });
  });
};

/** The tests that a condition makes of page views, its subqueries left out. */
const pageviewLeaves = (node: CanonicalExpr): readonly CanonicalLeaf[] =>
  isCellExpr(node) ? stepsOf(node).flatMap(leavesOfStep) : childrenOf(node).flatMap(pageviewLeaves);

const leavesOfStep = ({ event, where }: CanonicalStep): readonly CanonicalLeaf[] =>
  event.includes('Pageview') && where !== undefined ? leavesOf(where) : [];

const leavesOf = (pred: CanonicalPred): readonly CanonicalLeaf[] => {
  if ('and' in pred) return pred.and.flatMap(leavesOf);
  if ('or' in pred) return pred.or.flatMap(leavesOf);
  if ('match' in pred) return pred.match.flatMap(leavesOf);
  return 'not' in pred ? leavesOf(pred.not) : [pred];
};
