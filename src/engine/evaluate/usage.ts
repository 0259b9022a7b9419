import { childrenOf, subOf } from '../cells/cellOrder';
import type { CanonicalExpr } from '../language/canonicalLanguage';
import type { Lookups } from './lookups';
import type { Query } from './query';

/** A third-party segment that made a cohort true. The segment is reported to the server (spec S§7). */
export interface Usage {
  /** Name of the provider, as in the query. */
  readonly provider: string;
  /** The segment id, as the provider gave it. */
  readonly id: string;
}

/**
 * The segments that third-party tests have met in queries that hold, sorted, each once. Tests under `not` are left out,
 * because a segment that is met there does not make the query true. Empty while the data is missing.
 */
export const usageOf = (queries: Iterable<Query>, lookups: Lookups): Usage[] => {
  if (!lookups.has('thirdParty')) return [];
  const idsByProvider = new Map<string, Set<string>>();
  const visit = (node: CanonicalExpr, sub: readonly CanonicalExpr[]): void => {
    if ('thirdParty' in node) {
      const { provider, min = 1 } = node.thirdParty;
      const ids = lookups.matches('thirdParty', node.thirdParty);
      // A test that is not met has no part in the result.
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
