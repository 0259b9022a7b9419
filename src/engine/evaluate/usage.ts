import { childrenOf, subOf } from '../cells/cellOrder';
import type { CanonicalExpr } from '../language/canonicalLanguage';
import type { Lookups } from './lookups';
import type { Query } from './query';

/** A third-party segment that made a cohort true. */
export interface Usage {
  readonly provider: string;
  readonly id: string;
}

/** The segments that third-party tests of queries in force have met. A test under `not` has no merit in that. */
export const usageOf = (queries: Iterable<Query>, lookups: Lookups): Usage[] => {
  if (!lookups.has('thirdParty')) return [];
  const idsByProvider = new Map<string, Set<string>>();
  const visit = (node: CanonicalExpr, sub: readonly CanonicalExpr[]): void => {
    if ('thirdParty' in node) {
      const { provider, min = 1 } = node.thirdParty;
      const ids = lookups.matches('thirdParty', node.thirdParty);
      if (ids.length >= min) idsByProvider.set(provider, new Set([...(idsByProvider.get(provider) ?? []), ...ids]));
    } else if ('sub' in node) visit(subOf(sub, node.sub), sub);
    else if (!('not' in node)) for (const child of childrenOf(node)) visit(child, sub);
  };
  for (const { result, uses, meaning } of queries)
    if (result && uses.lookups.has('thirdParty')) visit(meaning.q, meaning.sub);
  return [...idsByProvider]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([provider, ids]) => [...ids].sort().map((id) => ({ provider, id })));
};
